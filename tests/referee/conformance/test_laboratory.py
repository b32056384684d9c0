"""What is kept of the words of a bot that failed."""

from referee.conformance.laboratory import STDERR_LINES, said_last

TRACEBACK = ["Traceback (most recent call last):", *(f"  line {n}" for n in range(9)), "ValueError: no card"]


def test_a_traceback_is_shown_from_its_beginning() -> None:
    assert said_last(["hello", *TRACEBACK]) == tuple(TRACEBACK)
    assert said_last([*TRACEBACK, "again", *TRACEBACK]) == tuple(TRACEBACK)


def test_of_other_words_the_last_few_are_shown() -> None:
    words = [f"word {n}" for n in range(9)]

    assert said_last(words) == tuple(words[-STDERR_LINES:])
