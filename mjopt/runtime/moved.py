"""Modules under the names they once had: importable for one release, with a warning."""

import sys
import warnings
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Final

MOVED: Final[Mapping[str, str]] = {
    "mjopt.analysis": "mjopt.answers",
    "mjopt.battles": "mjopt.experiments.battles",
    "mjopt.blocks": "mjopt.hands.blocks",
    "mjopt.certificate": "mjopt.answers.certificate",
    "mjopt.draws": "mjopt.answers.draws",
    "mjopt.forms": "mjopt.hands.forms",
    "mjopt.hand": "mjopt.hands.hand",
    "mjopt.labelling": "mjopt.datasets.label_file",
    "mjopt.notation": "mjopt.hands.notation",
    "mjopt.paper_audit": "mjopt.experiments.audits.paper",
    "mjopt.predecomposition": "mjopt.hands.predecomposition",
    "mjopt.proof_formats": "mjopt.answers.formats",
    "mjopt.recipes": "mjopt.datasets.recipes",
    "mjopt.solvers": "mjopt.models.solvers",
    "mjopt.solving": "mjopt.models.solving",
    "mjopt.tiles": "mjopt.hands.tiles",
    "mjopt.value_audit": "mjopt.experiments.audits.packages",
}
"""Where each now stands; what is inside a package moved with it."""


def new_name(name: str) -> str | None:
    """Return where a module of an old name stands now, or None.

    Examples
    --------
    >>> new_name("mjopt.solvers.base"), new_name("mjopt.tables")
    ('mjopt.models.solvers.base', None)
    """
    head = ".".join(name.split(".")[:2])
    return MOVED[head] + name[len(head) :] if head in MOVED else None


class OldNames(MetaPathFinder, Loader):
    """Finds a module under its old name.

    It is asked first: the package under an old name has the path of the new one, and
    its modules would else be loaded a second time.
    """

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002 - the finder's interface
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        """Find a module that was moved."""
        return ModuleSpec(fullname, self) if new_name(fullname) else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return the module itself: one object under two names."""
        place = new_name(spec.name)
        assert place is not None
        warnings.warn(
            f"{spec.name} is {place} now; the old name goes with the next release",
            DeprecationWarning,
            stacklevel=2,
        )
        module = import_module(place)
        self._spec, self._loader = module.__spec__, getattr(module, "__loader__", None)
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing: it was executed under its new name, which it keeps."""
        module.__spec__, module.__loader__ = self._spec, self._loader


def keep_old_names() -> None:
    """Let the old names be imported."""
    if not any(isinstance(finder, OldNames) for finder in sys.meta_path):
        sys.meta_path.insert(0, OldNames())
