"""Following queues: what they bring once more, when they are silent, and items that are no examples."""

import asyncio
import time
from contextlib import aclosing

import pytest

import littlestone as ls
from littlestone.models.following import Answer, At, Labelled, Notice, Progress, Saved, follow
from tests.models.followed import ROW, answered, heard, named, noticed, queue

# Replays


@pytest.mark.parametrize("first", range(9))
def test_a_replay_passes_over_what_was_counted(first, tmp_path):
    items = [None, None, [ROW, ROW, ROW], ROW, None, [], [ROW, ROW], ROW]
    model = tmp_path / "model.npz"
    for again in (items, [one for item in items if item for one in (item if isinstance(item, list) else [item])]):
        named().save(model)
        list(follow(model, items[:first]))
        done = ls.load(model).trials - 10
        events = list(follow(model, again, replay=True))
        assert answered(events) == [*range(done + 1, 8)]
        assert ls.load(model).trials == 17


def test_an_asynchronous_replay_is_like_any_other(tmp_path):
    model = tmp_path / "model.npz"
    named().save(model)
    heard(model, queue([[ROW] * 3, None]))
    assert answered(heard(model, queue([ROW, [ROW] * 3, None, ROW]), replay=True)) == [4, 5]
    before = model.read_bytes()
    for source in (queue([ROW, None, ROW]), [ROW, None, ROW]):
        with pytest.raises(ls.errors.InvalidData, match="expected the 5 items that were followed, got 2"):
            heard(model, source, replay=True)
    assert model.read_bytes() == before


# Silent and broken queues


def test_a_silent_queue_is_saved_and_let_go(tmp_path):
    model = tmp_path / "model.npz"
    named().save(model)
    ended = []

    async def silent():
        try:
            yield ROW
            await asyncio.sleep(60)
        finally:
            ended.append(True)

    async def until_saved():
        async with aclosing(ls.follow_async(model, silent(), seconds=0.05, tick=0.01)) as events:
            async for event in events:
                if isinstance(event, Saved):
                    return len(asyncio.all_tasks())
        return 0

    began = time.monotonic()
    assert asyncio.run(until_saved()) == 2  # itself, and what waits for the next item
    assert time.monotonic() - began < 20
    assert ended == [True]
    assert ls.load(model).trials == 11


def test_a_queue_that_is_silent_for_a_while_goes_on():
    model = named()
    assert answered(heard(model, queue([ROW] * 3, pause=0.05), tick=0.01)) == [1, 2, 3]


def test_whoever_is_cancelled_while_a_queue_is_silent():
    async def cancelled():
        events = ls.follow_async(named(), queue([ROW, ROW], pause=0.2), tick=0.01)
        task = asyncio.create_task(anext(events))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return len(asyncio.all_tasks())

    assert asyncio.run(cancelled()) == 1


def test_an_error_of_a_queue_is_its_own():
    async def broken():
        yield ROW
        raise ValueError("gone")

    with pytest.raises(ValueError, match="gone"):
        heard(named(), broken())


HALF = "\ud800"
ODD = [
    ({"a": 1.0}, ["x"]), (None, {"x": 1}, "k"), ({"a": 1.0}, 1, ["k"]), ({"a": 1.0}, 1, ("k", [])), (None, None, "k"),
    (None, 1, HALF), ({"a": 1.0}, HALF), ({HALF: 1.0}, 1), HALF, {HALF: 1}, {"a": HALF}, {"id": HALF, "a": 1},
    {"id": "k", "label": HALF}, {"id": {"k"}, "label": 1}, {"id": ["k"], "a": 1}, {"a": {1}}, {"a": 1, "label": {1}},
    '{"id": "\\ud800", "label": 1}', At(7, {"a": HALF}), ({"a": 1.0}, object()), {"a": object()}, ((HALF,), 1),
]  # fmt: skip


@pytest.mark.parametrize("odd", ODD, ids=[f"odd{at}" for at in range(len(ODD))])
@pytest.mark.parametrize("form", [None, "jsonl"])
def test_an_odd_item_is_one_notice(odd, form, tmp_path):
    model = tmp_path / "model.npz"
    if form is None:
        named().save(model)
    else:
        train = tmp_path / "train.jsonl"
        train.write_text("".join('{"label":%d,"a":%d,"b":1}\n' % (i % 2, i % 2) for i in range(10)))
        ls.Model.train(str(train)).save(model)
    sound = {"a": 1, "label": 1}
    events = list(follow(model, [sound, odd, sound]))
    kinds = [type(event) for event in events if not isinstance(event, Labelled | Saved)]
    assert kinds in ([Answer, Notice, Answer, Progress], [Answer, Answer, Answer, Progress])
    assert (len(kinds) == 4 and len(noticed(events)) == 1) or odd == {"a": 1, "label": {1}}
    assert ls.load(model).trials == 12
