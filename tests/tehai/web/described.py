"""The server held to the description that it serves, by schemathesis: ``test_openapi.py`` runs this file."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from pathlib import Path

import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.config import SchemathesisConfig
from schemathesis.specs.openapi.checks import positive_data_acceptance

from tehai.server.limits import Limits
from tehai.server.security import LOOPBACK, Access
from tehai.web.app import make_app
from tehai.web.games.api import GamesApi
from tehai.web.games.store import GameStore
from tehai.web.request_rules import RequestRules
from tehai.web.worker_pool import WorkerPool
from tests.tehai.web.fakes import FakeReader

_CALLED = "testserver"
"""What schemathesis calls an application without a socket."""

_DESK = WorkerPool(FakeReader())
_FOLDER = Path(tempfile.mkdtemp())
atexit.register(shutil.rmtree, _FOLDER, ignore_errors=True)  # pytest's folders are made for tests alone
_APP = make_app(
    _DESK,
    Access(LOOPBACK | {_CALLED}),
    limits=Limits(a_minute=1_000_000),
    games=GamesApi(GameStore(_FOLDER), _DESK, RequestRules()),
)
_UNENDING = "/follow$"
"""What has no end is not waited for here; ``games/test_api.py`` follows."""

_REFUSED = ["400", "401", "403", "404", "405", "406", "409", "413", "415", "422", "428", "429", "5xx"]
"""How what breaks the description is answered: as schemathesis expects it, and 413, for a list with more
entries than a game has may be too large a request before anybody counts them."""

_CONFIG = SchemathesisConfig.from_dict(
    {"checks": {"negative_data_rejection": {"expected-statuses": _REFUSED}}}
)

schema = schemathesis.openapi.from_asgi("/openapi.json", _APP, config=_CONFIG).exclude(path_regex=_UNENDING)


@schema.parametrize()
@settings(
    max_examples=5,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_every_operation_keeps_to_its_description(case: schemathesis.Case) -> None:
    # no schema can say which text is a set of house rules
    case.call_and_validate(excluded_checks=[positive_data_acceptance])
