"""The labels of a study's hands, proved by certificates before anything is measured."""

from typing import Final

import numpy as np
import numpy.typing as npt

from mjopt.answers.certifying import certify_many
from mjopt.errors import CertificateError, StudyError
from mjopt.experiments.studies.row_files import Columns
from mjopt.experiments.studies.study_hands import HandSet
from mjopt.hands.hand import Hand

CERTIFICATE_SEED: Final = 20_230_501


def chosen_hands(num_hands: int, number: int) -> npt.NDArray[np.int64]:
    """Return which hands are certified: so many at random, ascending.

    Examples
    --------
    >>> chosen_hands(3, 3).tolist(), len(chosen_hands(1000, 10))
    ([0, 1, 2], 10)
    """
    order = np.random.default_rng(CERTIFICATE_SEED).permutation(num_hands)
    return np.sort(order[:number])


def certify_labels(
    hands: HandSet, columns: Columns, *, jobs: int = 1, scheduler: str | None = None
) -> None:
    """Prove the labels of some hands, and mark those hands.

    Parameters
    ----------
    hands
        The hands; their plan says how many labels.
    columns
        The columns ``HANDS``; ``certified`` is filled in.
    jobs, scheduler
        As for :func:`certify_many`.

    Raises
    ------
    StudyError
        If a certificate is refused or proves another value: the study stops there.
    """
    chosen = chosen_hands(len(hands.counts), hands.planned.certificates)
    listed = (Hand.from_counts(hands.counts[i].tolist(), tiles=hands.tiles) for i in chosen)
    certificates = certify_many(listed, jobs=jobs, scheduler=scheduler)
    name, truth, texts = hands.planned.name, columns["deficiency"], columns["text"]
    for place in chosen:
        where = f"hand set {name}, hand {place} ({texts[place]})"
        try:
            certificate = next(certificates)
        except CertificateError as error:
            raise StudyError(f"{where}: the certificate is refused: {error}") from None
        if certificate.deficiency != truth[place]:
            raise StudyError(
                f"{where}: labelled {truth[place]}, but the certificate proves "
                f"{certificate.deficiency}"
            )
        columns["certified"][place] = certificate.certified
