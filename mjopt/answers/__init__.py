"""The front door: values and certificates, useful tiles, discards, targets, draws."""

from mjopt.runtime.later import load_later

__getattr__ = load_later(
    __name__,
    {
        "Certificate": "mjopt.answers.certificate",
        "Discard": "mjopt.answers.discard",
        "Targets": "mjopt.answers.target_hands",
        "UsefulTiles": "mjopt.answers.useful",
        "certify": "mjopt.answers.certifying",
        "deficiency": "mjopt.answers.values",
        "discards": "mjopt.answers.discard",
        "targets": "mjopt.answers.target_hands",
        "useful_tiles": "mjopt.answers.useful",
    },
)
