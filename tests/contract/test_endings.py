"""However a tournament ends, nothing is left of it soon afterwards. That it can go on is tested beside this."""

from __future__ import annotations

import signal
import time
from pathlib import Path

import pytest

from tests.contract.killing import NAMES, WAIT_S_MAX, Run, assert_all_end, tournament_file

STOP_S_MAX = 60
ENDLESS_MATCHES = 'match = "target"\nrules = { base = "american", target = 1_000_000 }'


@pytest.mark.slow
@pytest.mark.timeout(240)
@pytest.mark.parametrize(
    ("signals", "code"),
    [
        ([], 0),
        ([signal.SIGINT], 5),
        ([signal.SIGTERM], 5),
        ([signal.SIGINT, signal.SIGINT], 130),
        ([signal.SIGTERM, signal.SIGTERM], 130),
    ],
    ids=["normal end", "Ctrl-C once", "SIGTERM once", "Ctrl-C twice", "SIGTERM twice"],
)
def test_nothing_is_left_after(tmp_path: Path, signals: list[signal.Signals], code: int) -> None:
    tournament_file(tmp_path, 5_000 if signals else 6, ENDLESS_MATCHES if len(signals) > 1 else "")
    with Run(tmp_path, None) as run:
        # More processes were started than at the muster, so that matches are being played.
        run.wait_for(lambda: len(list((run.cup / "logs").glob("*-r*.log"))) > len(NAMES))
        for number in signals:
            assert run.process.poll() is None
            run.process.send_signal(number)
            time.sleep(0.5)  # a person's second Ctrl-C comes a moment after the first

        assert run.process.wait(timeout=STOP_S_MAX if signals else WAIT_S_MAX) == code
        assert_all_end(tmp_path)
