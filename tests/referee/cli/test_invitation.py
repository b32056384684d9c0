"""What is printed for the author of a remote bot can be dialled."""

import subprocess
import sys
from pathlib import Path

from referee.cli.invitation import invitation

HEARTS = str(Path(sys.executable).with_name("hearts"))


def test_on_loopback_address_and_token_are_enough() -> None:
    line = invitation("guest", "127.0.0.1:7077", "abc", "")

    assert line.splitlines() == [
        "  guest: HEARTS_REFEREE=127.0.0.1:7077 HEARTS_TOKEN=abc",
        "    or: HEARTS_TOKEN=abc hearts connect BOT --to 127.0.0.1:7077",
    ]


def test_where_the_referee_listens_everywhere_a_name_of_its_certificate_is_given(tmp_path: Path) -> None:
    made = subprocess.run(
        [HEARTS, "cert", "--out", str(tmp_path), "--host", "arena.example"], capture_output=True, text=True
    )
    line = invitation("guest", "0.0.0.0:7077", "abc", tmp_path / "server.pem")

    assert made.returncode == 0, made.stderr
    assert "HEARTS_REFEREE=arena.example:7077 HEARTS_TOKEN=abc HEARTS_CA=" in line
    assert line.endswith("hearts connect BOT --to arena.example:7077 --ca ca.pem")
