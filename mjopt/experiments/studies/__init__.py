"""Studies: methods against hands whose value is certified, raw rows first."""

from mjopt.runtime.later import load_later

# Few need all of them, and some stand on pandas.
_HOMES = {
    "HandSet": "mjopt.experiments.studies.study_hands",
    "Plan": "mjopt.experiments.studies.plan",
    "PlannedMethod": "mjopt.experiments.studies.plan",
    "PlannedSet": "mjopt.experiments.studies.plan",
    "Study": "mjopt.experiments.studies.study",
    "Summary": "mjopt.experiments.studies.summary",
    "compare": "mjopt.experiments.studies.comparing",
    "read_hand_set": "mjopt.experiments.studies.study_hands",
    "run_study": "mjopt.experiments.studies.running",
    "summarise": "mjopt.experiments.studies.summary",
    "write_report": "mjopt.experiments.studies.report",
}

__all__ = [*_HOMES]  # noqa: PLE0604 - names alone
__getattr__ = load_later(__name__, _HOMES)
