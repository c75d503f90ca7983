"""littlestone serve: models behind HTTP, which learn; what was acknowledged is on the disk."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from littlestone.cli._settings import WrongCall
from littlestone.core.messages import install

__all__ = ["serve"]

NEEDED = ("starlette", "uvicorn", "httptools", "msgspec")


@click.command(short_help="Serve models over HTTP: predict, learn, explain.")
@click.argument("models", metavar="[MODEL]...", nargs=-1)
@click.option(
    "--data", required=True, metavar="DIR", type=click.Path(file_okay=False), help="Journal, snapshots, keys."
)
@click.option("--host", default="127.0.0.1", help="The address to listen at.  [default: 127.0.0.1]")
@click.option("--port", type=click.IntRange(0, 65535), default=8765, help="The port; 0: any.  [default: 8765]")
@click.option("--tls-cert", metavar="FILE", type=click.Path(exists=True, dir_okay=False), help="A certificate for TLS.")
@click.option("--tls-key", metavar="FILE", type=click.Path(exists=True, dir_okay=False), help="Its private key.")
@click.option("--allow-origin", "origins", multiple=True, metavar="URL", help="Let pages of this origin call it.")
@click.option("--every", type=click.IntRange(1), default=10_000, help="Snapshot so often.  [default: 10000 examples]")
@click.option("--seconds", type=click.FloatRange(0, min_open=True), default=60.0, help="And so often.  [default: 60]")
@click.option("--rate", type=click.FloatRange(0, min_open=True), help="Requests of a key a second, at most.")
@click.option("--concurrency", type=click.IntRange(1), default=512, help="Of a key, under way.  [default: 512]")
@click.option(
    "--max-body", type=click.IntRange(1), default=8 << 20, metavar="BYTES", help="Of a request.  [default: 8 MiB]"
)
@click.option("--max-rows", type=click.IntRange(1), default=10_000, metavar="N", help="Of a request.  [default: 10000]")
@click.option(
    "--max-attributes", type=click.IntRange(1), default=10_000, metavar="N", help="Of a row.  [default: 10000]"
)
@click.option("--memory", type=click.IntRange(1), metavar="BYTES", help="Start the worker anew when it takes more.")
@click.option(
    "--patience", type=click.FloatRange(1), default=30.0, help="And after so many silent seconds.  [default: 30]"
)
@click.option("--log", "level", type=click.Choice(["debug", "info", "warning", "error"]), default="info",
              help="What goes to stderr, as lines of JSON.  [default: info]")  # fmt: skip
def serve(models: tuple[str, ...], **options: Any) -> None:
    """Serve models over HTTP. A MODEL is a file, or NAME=FILE; without NAME it has the name of its file.

    What it learns is in the journal of DIR before it is answered: killed at any moment, the same call goes on with
    every example that was acknowledged. A MODEL that DIR has already goes on from there.

    Without keys (littlestone key) only programs of this machine are served. Stop it with Ctrl-C or SIGTERM: it finishes
    what is under way. Changed keys are known in a second or two. The addresses are on its page /docs.

    \b
    littlestone serve spam.npz --data service
    curl -d '{"row": {"message": "win"}}' -H 'Content-Type: application/json' localhost:8765/v1/models/spam/predict
    """  # noqa: D301 - \b is click's
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise click.ClickException(f"serve: expected {', '.join(missing)}, got none; {install('serve')}")
    from littlestone.service.http.limits import Limits
    from littlestone.service.http.serving import Settings
    from littlestone.service.http.serving import serve as run
    from littlestone.service.options import Limits as WorkerLimits
    from littlestone.service.options import Options

    if (options["tls_cert"] is None) != (options["tls_key"] is None):
        raise WrongCall("--tls-cert and --tls-key: expected both or none, got one")
    limits = Limits(
        body=options["max_body"], rows=options["max_rows"], attributes=options["max_attributes"], rate=options["rate"],
        concurrency=options["concurrency"],
    )  # fmt: skip
    kept = Options(every=options["every"], seconds=options["seconds"], limits=WorkerLimits(rows=options["max_rows"]))
    names = ("data", "host", "port", "tls_cert", "tls_key", "origins", "memory", "patience", "level")
    settings = Settings(models=_named(models), limits=limits, options=kept, **{name: options[name] for name in names})
    run(settings, click.echo)


def _named(models: tuple[str, ...]) -> dict[str, str]:
    """Return files by the names of models; refuse a file that is not there, and a name that comes twice."""
    from littlestone.cli._settings import beside

    found: dict[str, str] = {}
    for one in models:
        name, equals, file = one.partition("=")
        if not equals or "/" in name:
            name, file = Path(one).name.removesuffix(".npz"), one
        if not Path(file).is_file():
            raise click.ClickException(f"{file}: expected the file of a model, got none that is there{beside(file)}")
        _check_labels_predicted(file)
        if name in found:
            raise WrongCall(f"MODEL: {name} comes twice; say NAME={file} with another name")
        found[name] = file
    return found


def _check_labels_predicted(file: str) -> None:
    """Refuse a model that predicts numbers, before anything is started."""
    from littlestone.learners.regressors import REGRESSORS
    from littlestone.models.files import inspect_model

    learner = inspect_model(file)["learner"]
    if learner in REGRESSORS:
        raise click.ClickException(
            f"{file}: expected a model of labels, got one of {learner}, which predicts numbers and is not served yet; "
            "littlestone predict and littlestone follow take it"
        )
