"""Which of the referee's environment variables a local bot gets to see.

A bot gets what the launcher's caller sets and the few variables named here: the referee's environment may
hold tokens and passwords of the organiser.
"""

from __future__ import annotations

from collections.abc import Mapping

_SYSTEM = ("PATH", "HOME", "USER", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "LD_LIBRARY_PATH")
_RUNTIMES = (
    "JAVA_HOME",
    "GOROOT",
    "CARGO_HOME",
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "DOTNET_ROOT",
    "GEM_HOME",
)
# A build may use the network (packages of npm, Go, Cargo, Maven) and what was built before, a run does not.
_BUILDS = (
    "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy",
    "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "CURL_CA_BUNDLE",
    "CARGO_HTTP_CAINFO", "CARGO_BUILD_BUILD_DIR",
    "GOPATH", "GOCACHE", "GOMODCACHE", "GOPROXY", "GOSUMDB", "GOFLAGS", "GOTOOLCHAIN",
    "PIP_INDEX_URL", "PIP_CERT", "PIP_CONFIG_FILE", "NPM_CONFIG_REGISTRY", "npm_config_registry",
    "MAVEN_OPTS",
    "XDG_CACHE_HOME",
)  # fmt: skip

_ALWAYS = {"PYTHONUNBUFFERED": "1"}  # or the last words of a Python bot that is killed are lost in its buffer


def run_environment(own: Mapping[str, str]) -> dict[str, str]:
    """Return the part of `own` (the referee's environment) that a running bot inherits."""
    return {name: own[name] for name in _SYSTEM + _RUNTIMES if name in own} | _ALWAYS


def build_environment(own: Mapping[str, str]) -> dict[str, str]:
    """Return the part of `own` that a build inherits: a run's, and how to reach registries and caches."""
    return run_environment(own) | {name: own[name] for name in _BUILDS if name in own}
