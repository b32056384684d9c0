"""What is begun takes its first step at once, and ends by itself."""

from __future__ import annotations

import asyncio

from referee.wire.begin import begin


class Ends(list[Exception | None]):
    """What `on_end` was told."""


async def test_the_first_step_is_taken_at_once_and_the_rest_when_what_is_waited_for_comes() -> None:
    future: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    steps: list[object] = []
    ends = Ends()

    async def inner() -> int:
        return await future

    async def work() -> None:
        steps.append("begun")
        steps.append(await inner())
        steps.append(await inner())

    begin(work(), ends.append)
    assert (steps, ends) == (["begun"], [])
    future.set_result(7)
    assert (steps, ends) == (["begun"], []), "as with any future, the loop comes first"
    await asyncio.sleep(0)

    assert (steps, ends) == (["begun", 7, 7], [None])


async def test_what_never_waits_has_ended_at_once() -> None:
    ends = Ends()

    async def work() -> None:
        return

    begin(work(), ends.append)

    assert ends == [None]


async def test_an_exception_is_told_whether_it_comes_at_once_or_later() -> None:
    future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    ends = Ends()

    async def at_once() -> None:
        raise ZeroDivisionError("now")

    async def later() -> None:
        await future

    begin(at_once(), ends.append)
    begin(later(), ends.append)
    future.set_exception(ZeroDivisionError("later"))
    await asyncio.sleep(0)

    assert [str(end) for end in ends] == ["now", "later"]


async def test_a_cancelled_future_is_an_error_like_others() -> None:
    future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    ends = Ends()

    async def work() -> None:
        await future

    begin(work(), ends.append)
    future.cancel()
    await asyncio.sleep(0)

    assert isinstance(ends[0], RuntimeError)
