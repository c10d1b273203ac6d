"""The catalogue: every text of every page in every language, with the same placeholders."""

import ast
import re
from collections.abc import Iterator
from importlib.resources import files

import pytest

from mjopt.chances.advice.options import HAS_DRAGONS, IGNORED, NO_WINDS, NOT_RANKED_BY, OPEN_FORMS
from mjopt.chances.advice.why import NUMBER_TEXTS, TEMPLATES
from mjopt.chances.danger.danger import NONE_READY, PROVED_SAFE, SAFE_BY_RULE, UNDER
from mjopt.hands.rules.classic_forms import FORMS
from mjopt.play.game.events import CALLS, KONGS
from mjopt.play.game.moves import Action
from mjopt.play.game.rules import HAND_SIZE
from mjopt.play.game.state import Ending
from mjopt.play.matches.match_session import PROFILES
from mjopt.play.review.log_danger import TEXTS
from mjopt.play.review.riichi_wins import WinBasis
from mjopt.play.review.summary import (
    BESIDE_DANGER,
    NAMES,
    WINS_JUDGED,
    WINS_NOT_JUDGED,
    ReviewSummary,
)
from mjopt.play.riichi.values import YAKU
from mjopt.play.serve import hand_page, match_view, proof_page
from mjopt.play.serve.app_context import NAVIGATION
from mjopt.play.serve.board import WINDS
from mjopt.play.serve.hand_page import FORM_WORDS, RULE_WORDS
from mjopt.play.serve.language import ENGLISH, LANGUAGES, read_catalogue
from mjopt.play.serve.review_file import LINKS
from mjopt.play.serve.review_remarks import COLUMNS, OMITTED
from mjopt.play.serve.step_view import DONE, JUMPS
from mjopt.play.serve.templating import make_environment
from mjopt.play.serve.tiles import HONOURS, RANKS

PACKAGE = files("mjopt.play.serve")
SUITS = ("characters", "dots", "bamboos")
OTHERS = sorted(set(LANGUAGES) - {ENGLISH})


Message = tuple[str, ...]
"""A message, or its singular and its plural."""


def in_templates() -> Iterator[Message]:
    environment = make_environment()
    for template in PACKAGE.joinpath("templates").iterdir():
        for _, _, message in environment.extract_translations(template.read_text(encoding="utf-8")):
            texts = message if isinstance(message, tuple) else (message,)
            if texts[0] is not None:  # else a variable, listed below
                yield tuple(text for text in texts if text is not None)


def in_modules() -> Iterator[Message]:
    for module in PACKAGE.iterdir():
        if not module.name.endswith(".py"):
            continue
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            name = getattr(getattr(node, "func", None), "id", "")
            if name == "ngettext":
                yield tuple(ast.literal_eval(text) for text in node.args[:2])
            elif name == "gettext":
                for part in ast.walk(node.args[0]):
                    if isinstance(part, ast.Constant) and isinstance(part.value, str):
                        yield (part.value,)


def in_tables() -> Iterator[str]:
    """Yield the messages that the pages take from tables."""
    yield from (name for _, name in NAVIGATION)
    yield from (*WINDS, *HONOURS, "face-down tile")
    yield from (f"{rank} of {suit}" for rank in RANKS for suit in SUITS)
    yield from (f"red five of {suit}" for suit in SUITS)
    yield from (*JUMPS.values(), *LINKS.values(), *DONE.values())
    yield from (*FORM_WORDS.values(), *RULE_WORDS.values())
    yield from (name for name, _ in (*hand_page.EXAMPLES, *proof_page.EXAMPLES))
    yield from ("pass", "chow", "pong", "kong", "draw", "win")  # options of an advice
    yield from (OPEN_FORMS, NO_WINDS, HAS_DRAGONS)
    yield from (IGNORED, NOT_RANKED_BY, BESIDE_DANGER, *TEMPLATES, *NUMBER_TEXTS, *TEXTS)
    yield from (SAFE_BY_RULE, PROVED_SAFE, NONE_READY, UNDER)
    yield from match_view.ENDINGS.values()
    for action in (Action.WIN, Action.READY, *CALLS, *KONGS):
        yield action.word.capitalize()  # labels of buttons
    yield from YAKU
    yield from (text for profile in PROFILES.values() for text in profile)
    yield from (form.replace("_", " ") for form in FORMS)  # of a winning hand
    yield from (WINS_JUDGED, WINS_NOT_JUDGED, *WinBasis, *Ending)
    yield from map(str, range(HAND_SIZE + 1))  # missing tiles
    yield from (action.word for action in (*CALLS, *KONGS))
    summary = ReviewSummary()
    summary.by["seat"][0] = [1] * len(NAMES)
    shares = summary.table("seat")
    yield shares.title
    yield from (COLUMNS.get(name, name) for name in shares.columns if name not in OMITTED)


PARTS = {("red five of ",), (" of ",), ("",), (" ",), ("_",)}  # of names listed in full
MESSAGES = {*in_templates(), *in_modules(), *((text,) for text in in_tables())} - PARTS


def translations(tag: str) -> dict[Message, Message]:
    """Return the translations of a language, in each plural form, by message."""
    return {
        message.id if isinstance(message.id, tuple) else (message.id,): (
            message.string if isinstance(message.string, tuple) else (message.string,)
        )
        for message in read_catalogue(tag)
        if message.id
    }


@pytest.mark.parametrize("tag", OTHERS)
def test_every_message_is_translated(tag: str) -> None:
    assert MESSAGES - set(translations(tag)) == set()


@pytest.mark.parametrize("tag", OTHERS)
def test_no_translation_is_unused(tag: str) -> None:
    assert set(translations(tag)) - MESSAGES == set()


@pytest.mark.parametrize("tag", OTHERS)
def test_placeholders_and_tags_are_those_of_the_message(tag: str) -> None:
    pattern = r"%\(\w+\)[sd]|%%|</?\w+[^>]*>"
    for message, forms in translations(tag).items():
        for translation in forms:
            placeholders = re.findall(pattern, translation)
            assert sorted(placeholders) == sorted(re.findall(pattern, message[-1]))
            assert translation.strip()


@pytest.mark.parametrize("tag", OTHERS)
def test_different_messages_of_tiles_stay_different(tag: str) -> None:
    names = [f"{rank} of {suit}" for rank in RANKS for suit in SUITS] + list(HONOURS)
    assert len({translations(tag)[name,] for name in names}) == len(names)


UNUSUAL = {
    "zh-Hans": (
        "检讨 设定 程式 演算法 记忆体 机率 档 伺服器 机械人 资料 搜寻 网路 储存 纪录 载入 回应 "
        "辨识 盖著 贴上 点选 做庄 遗失 么九 萤幕 滑鼠 预设 使用者 介面 视窗 软体 资讯 连结 品质 "
        "透过 支援 汇出 汇入 列印 选单 登入 字元 字串 阵列 函式 变数 物件 百分率 索子 「 」 『 』"
    ),
    "zh-Hant": (
        "復盤 設置 程序 內存 概率 文件夾 服務器 搜索 網絡 加載 響應 識別 點擊 刷新 默認 用戶 "
        "界面 軟件 信息 鏈接 數據 導出 打印 登錄 視頻 質量 放銃 “ ”"
    ),
    "ja": "自動人形 計画家 最大% 全て 期待ツモ",
}
"""Words that players of a language do not use: of another region, or translated by the letter."""


@pytest.mark.parametrize("tag", OTHERS)
def test_words_are_those_of_the_region(tag: str) -> None:
    texts = [text for forms in translations(tag).values() for text in forms]
    assert [text for text in texts if any(word in text for word in UNUSUAL[tag].split())] == []


@pytest.mark.parametrize("tag", OTHERS)
def test_chinese_and_japanese_have_their_own_stops(tag: str) -> None:
    written = r"[\u3040-\u30ff\u4e00-\u9fff]"
    stop = re.compile(rf"{written} ?[.,:;?!()]|[.,:;?!()] ?{written}")
    for message, forms in translations(tag).items():
        for translation in forms:
            plain = re.sub(r"<[^>]*>", "", re.sub(r"%\(\w+\)[sd]", "字", translation))
            assert not stop.search(plain), (message, translation)
    for separator in (", ", ": ", "; ", "."):
        [own] = translations(tag)[separator,]
        assert own in "、，：；。"


def test_japanese_counts_steps_to_a_ready_hand() -> None:
    assert [translations("ja")[str(number),] for number in range(4)] == [
        ("和了",),
        ("聴牌",),
        ("1向聴",),
        ("2向聴",),
    ]
