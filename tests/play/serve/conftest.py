"""A site whose matches have prepared hands or consecutive seeds."""

from contextlib import ExitStack

import pytest
from helpers.browsing import browser, wait_for_searches
from helpers.table_talk import Clock, dealt


@pytest.fixture(scope="module", autouse=True)
def _patient():
    with pytest.MonkeyPatch.context() as patch:
        wait_for_searches(patch)
        yield


@pytest.fixture
def opened():
    """Open a site with prepared hands or with consecutive seeds."""
    with ExitStack() as stack:

        def open_site(*hands, folder=None, rules=None, **options):
            options.setdefault("clock", Clock())
            if hands:
                draws = {k: options.pop(k) for k in ("draws", "replacements") if k in options}
                rule = {"rules": rules} if rules else {}
                options |= {"new_seed": lambda: None, "deal": dealt([*hands], **rule, **draws)}
            options.setdefault("new_seed", iter(range(1, 10_000)).__next__)
            return stack.enter_context(browser(folder, **options))

        yield open_site
