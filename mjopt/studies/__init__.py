"""Studies: methods against hands whose value is certified, raw rows first."""

from mjopt._internal.lazy_import import load_later

# Few need all of them, and some stand on pandas.
_HOMES = {
    "HandSet": "mjopt.studies.study_hands",
    "Plan": "mjopt.studies.plan",
    "PlannedMethod": "mjopt.studies.plan",
    "PlannedSet": "mjopt.studies.plan",
    "Study": "mjopt.studies.study",
    "Summary": "mjopt.studies.summary",
    "compare": "mjopt.studies.comparing",
    "read_hand_set": "mjopt.studies.study_hands",
    "run_study": "mjopt.studies.running",
    "summarise": "mjopt.studies.summary",
    "write_report": "mjopt.studies.report",
}

__all__ = [*_HOMES]  # noqa: PLE0604 - names alone
__getattr__ = load_later(__name__, _HOMES)
