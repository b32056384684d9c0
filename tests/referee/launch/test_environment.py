"""What of the referee's environment bots and their builds inherit."""

from __future__ import annotations

from referee.launch.environment import build_environment, run_environment

OWN = {
    "PATH": "/bin",
    "HTTPS_PROXY": "http://proxy",
    "CARGO_BUILD_BUILD_DIR": "/tmp/cargo",
    "DATABASE_PASSWORD": "secret",
}


def test_a_build_reaches_registries_and_what_was_built_before_and_a_run_does_not() -> None:
    assert set(build_environment(OWN)) - set(run_environment(OWN)) == {"HTTPS_PROXY", "CARGO_BUILD_BUILD_DIR"}


def test_neither_sees_what_is_not_named() -> None:
    assert "DATABASE_PASSWORD" not in run_environment(OWN) | build_environment(OWN)
