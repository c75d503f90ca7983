"""An asynchronous source that may be silent: from time to time it says that nothing has come."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterable
from typing import Any

__all__ = ["ticking"]


async def ticking(source: AsyncIterable[Any], tick: float) -> AsyncGenerator[Any, None]:
    """Yield the items of a source as they come, and None where none has come for ``tick`` seconds.

    Whoever closes it puts an end to the waiting for the next item.
    """
    items = aiter(source)
    coming: asyncio.Future[Any] | None = None
    try:
        while True:
            coming = coming or asyncio.ensure_future(anext(items))
            done, _ = await asyncio.wait({coming}, timeout=tick)
            if not done:
                yield None
                continue
            came, coming = coming, None
            try:
                item = came.result()
            except StopAsyncIteration:
                return
            yield item
    finally:
        if coming is not None:
            coming.cancel()
            await asyncio.wait({coming})
            if not coming.cancelled():
                coming.exception()  # it is nobody's any more
