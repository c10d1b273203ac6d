"""Certificates with single values changed, and why the checker refuses them."""

import copy
from functools import reduce
from typing import Any

from helpers.certificate_corpus import signed

from mjopt.errors import CertificateError
from mjopt.proofs import check_native

Document = dict[str, Any]


def changed(document: Document, *changes: tuple[Any, ...]) -> Document:
    """Return a signed copy with values changed; each change is a path and the new value."""
    other = copy.deepcopy(document)
    for *path, value in changes:
        place = reduce(lambda inner, key: inner[key], path[:-1], other)
        place[path[-1]] = value(place[path[-1]]) if callable(value) else value
    try:
        return signed(other)
    except (CertificateError, KeyError, TypeError):  # its query cannot be written
        return other


def message(document: Document) -> str:
    """Return why a certificate is refused, or an empty text."""
    try:
        check_native(document)
    except CertificateError as error:
        return str(error)
    return ""
