"""Which bot processes may be alive at once."""

from __future__ import annotations

import asyncio

from referee.executors.process_budget import Key, ProcessBudget


def keys(names: str) -> list[Key]:
    return [(name, "r0") for name in names]


async def test_the_longest_idle_make_room() -> None:
    budget = ProcessBudget(4)
    assert await budget.claim(keys("ab")) == []
    budget.release(keys("ab"))
    assert await budget.claim(keys("cd")) == []
    budget.release(keys("cd"))

    assert await budget.claim(keys("ae")) == keys("b")
    assert await budget.claim(keys("fb")) == keys("cd")


async def test_who_is_playing_is_waited_for_and_never_ended() -> None:
    budget = ProcessBudget(4)
    await budget.claim(keys("abcd"))

    waiting = asyncio.create_task(budget.claim(keys("ef")))
    await asyncio.sleep(0)
    assert not waiting.done()
    budget.release(keys("cd"))

    assert await waiting == keys("cd")


async def test_a_process_of_two_matches_stays_until_both_are_over() -> None:
    budget = ProcessBudget(3)
    await budget.claim(keys("ab"))
    await budget.claim(keys("bc"))
    budget.release(keys("ab"))

    assert await budget.claim(keys("d")) == keys("a")


async def test_processes_that_were_ended_need_no_room() -> None:
    budget = ProcessBudget(2)
    await budget.claim(keys("ab"))
    budget.release(keys("ab"), are_ended=True)

    assert await budget.claim(keys("cd")) == []
