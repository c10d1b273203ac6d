"""Write docs/json.md from the schemas of what ``--json`` prints.

    python tests/helpers/json_page.py > docs/json.md

A test compares the page with what this writes.
"""

import json
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

SCHEMAS = files("mjopt.cli") / "schemas"

HEAD = """# What `--json` prints

Every command that prints a result takes `--json`, which prints one JSON document on stdout:
nothing else stands there, and messages go to stderr. The exit status is the same with and
without it. Below is each key with its type, its range and its unit; a key with `?` is not
always there, `[]` is each element of a list, and `{}` each value of an object whose keys are
data. Other keys do not occur.

The same as [JSON Schema](https://json-schema.org/draft/2020-12), one file a command, comes
with the package in `mjopt/cli/schemas`:

```python
>>> import json
>>> from importlib.resources import files
>>> text = (files("mjopt.cli") / "schemas" / "deficiency.json").read_text("utf-8")
>>> json.loads(text)["title"]
'mjopt deficiency --json'

```

`mjopt label -o FILE.jsonl` and `mjopt certify --hands FILE -o FILE.jsonl` write JSON lines, a
document a hand, and have no `--json`.
"""


def load_schemas() -> dict[str, Any]:
    """Return the schema of each command, by its words."""
    found = {
        path.name: json.loads(path.read_text("utf-8"))
        for path in sorted(SCHEMAS.iterdir(), key=lambda path: path.name)
        if path.name.endswith(".json")
    }
    return {
        schema["title"].split(" ", 1)[1][: -len(" --json")]: schema for schema in found.values()
    }


def page() -> str:
    """Return the whole page."""
    return HEAD + "".join(line for one in load_schemas().items() for line in _section(one))


def _section(of: tuple[str, Any]) -> Iterator[str]:
    name, schema = of
    yield f"\n## mjopt {name}\n"
    choices = schema.get("oneOf", [schema])
    for number, choice in enumerate(_resolved(choice, schema) for choice in choices):
        if choice["type"] == "array":
            yield "\nOr a list of such objects.\n"
            continue
        if number:
            yield "\nOr:\n"
        if told := choice.get("description"):
            yield f"\n{told}\n"
        rows = [*_rows(choice, "", schema)]
        yield "\n| key | type | meaning |\n|---|---|---|\n"
        yield from (f"| `{key}` | {kind} | {told} |\n" for key, kind, told in rows)


def _resolved(part: Any, schema: Any) -> Any:
    if "$ref" not in part:
        return part
    return {**schema["$defs"][part["$ref"].rsplit("/", 1)[1]], **part}


def _rows(part: Any, path: str, schema: Any) -> Iterator[tuple[str, str, str]]:
    """Yield a row for each key below a part of a schema."""
    part = _resolved(part, schema)
    required = part.get("required", ())
    for key, given in part.get("properties", {}).items():
        value = _resolved(given, schema)
        where = f"{path}.{key}" if path else key
        yield where + "?" * (key not in required), _kind(value), value.get("description", "")
        yield from _rows(value, where, schema)
    for inside, sign in (("items", "[]"), ("additionalProperties", "{}")):
        if isinstance(deeper := part.get(inside), dict) and path:
            yield from _rows(deeper, path + sign, schema)


def _kind(part: Any) -> str:
    """Write the type of a value with its range."""
    if "const" in part:
        return f'"{part["const"]}"'
    of = part["type"] if isinstance(part["type"], list) else [part["type"]]
    inner = part.get("items")
    while inner and inner.get("type") == "array":
        inner = inner.get("items")
    if inner and "type" in inner and "array" in of:
        each = inner["type"] if isinstance(inner["type"], list) else [inner["type"]]
        of = [f"array of {' or '.join(each)}s" if one == "array" else one for one in of]
    low, high = part.get("minimum"), part.get("maximum")
    span = "" if low is None else f", {low} or more" if high is None else f", {low} to {high}"
    return " or ".join(of) + span


if __name__ == "__main__":
    print(page(), end="")
