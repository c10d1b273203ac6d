"""Files of rules within the limits that may take long to read."""

import random
import time
from collections.abc import Callable
from pathlib import Path

from adversarial.attack import Attack, Judge

from mjopt import Hand, expected_draws
from mjopt.errors import FileError, HandError
from mjopt.hands.rules.rule_file import MOST_BYTES, parse_rules
from mjopt.hands.rules.template import JOKER_PARTS

MOST = 1.0  # seconds of processor time; a file takes a tenth on an idle machine
LETTERS = "defghiklmnopqrstuvwxy"


def tiles(letters: str, share: float, rng: random.Random) -> str:
    """Return some kinds of some suits, at least one."""
    words = ["".join(str(n) for n in range(1, 10) if rng.random() < share) for _ in letters]
    text = " ".join(word + letter for word, letter in zip(words, letters, strict=True) if word)
    return text or f"1{letters[0]}"


def random_form(size: int, suits: str, rng: random.Random) -> list[str]:
    """Return the lines of a form whose parts add up to the size of a hand."""
    numbers = dict.fromkeys(("melds", "eyes", "pairs", "distinct", "doubled"), 0)
    sizes = {"melds": 3, "eyes": 2, "pairs": 2, "distinct": 1, "doubled": 1}
    able = rng.sample(list(sizes), rng.randint(1, 5))
    fixed = []
    while size:
        part = rng.choice([*able, "distinct"])
        if rng.random() < 0.1:
            fixed.append(f"{rng.randint(1, 9)}{rng.choice(suits)}")
            size -= 1
        elif sizes[part] <= size and (part != "doubled" or numbers[part] < numbers["distinct"]):
            numbers[part] += 1
            size -= sizes[part]
    lines = [f"{part} = {number}" for part, number in numbers.items() if number]
    if fixed:
        lines.append(f'fixed = "{" ".join(fixed)}"')
    for key, users in (("of", ("distinct",)), ("kinds", ("melds", "eyes", "pairs"))):
        if any(numbers[user] for user in users) and (key == "of" or rng.random() < 0.7):
            letters = rng.choice(["abc"[: len(suits)], suits])
            lines.append(f'{key} = "{tiles(letters, rng.choice([0.2, 0.5, 1.0]), rng)}"')
    flags = ("chows", "pongs", "alike", "mirror", "shift")
    return [*lines, *(f"{flag} = {rng.choice(['true', 'false'])}" for flag in flags)]


def random_rules(rng: random.Random) -> str:
    """Return rules of any size, with suits, jokers and forms."""
    size, num_jokers = rng.randint(5, 32), rng.choice([0, 1, 4, 4])
    suits = "".join(rng.sample(LETTERS, rng.choice([1, 3, 3, 6, 9])))
    lines = ['name = "x"', f"size = {size}", "[tiles]", f'suits = "{suits}"']
    lines += [f"honours = {rng.choice([0, 4, 7])}", f"jokers = {num_jokers}"]
    if num_jokers:
        parts = rng.sample(JOKER_PARTS, rng.randint(1, len(JOKER_PARTS)))
        lines += ["[jokers]", f'kinds = "{"1234"[:num_jokers]}j"', f"parts = {parts}"]
        lines += [f"least = {rng.randint(1, 3)}", f"fifth = {rng.choice(['true', 'false'])}"]
    for number in range(rng.choice([1, 1, 2, 5, 30, 200])):
        lines += ["[[form]]", f'name = "f{number}"', *random_form(size, suits, rng)]
    return "\n".join(lines)


def long_rules(rng: random.Random) -> str:
    """Return a file with much of one thing."""
    head = 'name = "x"\ntiles = "136"\n[[form]]\nmelds = 4\nkinds = "'
    size = rng.randrange(1000, MOST_BYTES)
    return rng.choice(
        [
            f"a{'.a' * size} = 1",
            "\n".join(f"a{'.a' * 40}.b{n} = 1" for n in range(size // 90)),
            f"a = {'[' * size}",
            f"a = {'{a=' * size}",
            f"a = [{'1,' * size}]",
            f"a = [{'{a = 1},' * size}]",
            f"size = {'9' * size}",
            f'name = "x"\ntiles = "136"\nsize = 0x{"f" * size}\n[[form]]\nmelds = 4',
            f"{'a' * size} = 1",
            f"{head}{'1' * size}",
            f'{head}{"1" * size}"',
            f'{head}{"1m2m" * size}"',
            f'{head}{" " * size}?"',
            "\n" * size,
            "[[form]]\n" * size,
            'name = "x"\ntiles = "136"\n' + '[[form]]\nname = "f"\nmelds = 4\neyes = 1\n' * size,
        ]
    )[:MOST_BYTES]


def quick(write: Callable[[random.Random], str]) -> Judge:
    """Rules are read or refused in one line, soon."""

    def case(rng: random.Random, folder: Path) -> str | None:
        text = write(rng)
        begun, said = time.process_time(), ""
        try:
            parse_rules(text, "x.toml")
        except FileError as error:
            said = str(error)
        taken = time.process_time() - begun
        if "\n" in said:
            return f"not one line: {said!r}"
        return f"{taken:.2f} s: {said or 'read'}: {text[:100]!r}" if taken > MOST else None

    return case


def draws_in_one_line(rng: random.Random, folder: Path) -> str | None:
    """Draws of any rules are counted, or refused in one line that names a limit."""
    try:
        rules = parse_rules(random_rules(rng), "x.toml")
    except FileError:
        return None
    pool = [kind for kind in range(rules.tiles.num_kinds) for _ in range(4)]
    rng.shuffle(pool)
    counts = [pool[: rules.size - 1].count(kind) for kind in range(rules.tiles.num_kinds)]
    try:
        expected_draws(Hand.from_counts(counts, rules=rules))
    except HandError as error:
        is_clear = "not counted" in str(error) and "\n" not in str(error)
        return None if is_clear else str(error)
    return None


ATTACK = Attack(
    "rule files",
    "files of rules that may take long to read",
    {"random": quick(random_rules), "long": quick(long_rules), "draws": draws_in_one_line},
)
