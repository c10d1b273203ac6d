"""Studies: heuristics on hands whose deficiency is certified, with statistics and reports."""

from mjopt._internal.lazy_import import load_later

# Some of these modules need pandas.
_HOMES = {
    "CertifiedSearch": "mjopt.studies.search_beside_bound",
    "certified_search": "mjopt.studies.search_beside_bound",
    "HandSet": "mjopt.studies.config",
    "Method": "mjopt.studies.method",
    "RESULTS": "mjopt.studies.study",
    "StudyResult": "mjopt.studies.study",
    "Study": "mjopt.studies.study",
    "StudyConfig": "mjopt.studies.config",
    "parse_methods": "mjopt.studies.method",
    "read_hand_set": "mjopt.studies.instances",
    "run_study": "mjopt.studies.runner",
    "write_report": "mjopt.studies.report",
}

__all__ = [*_HOMES]  # noqa: PLE0604 - names alone
__getattr__ = load_later(__name__, _HOMES)
