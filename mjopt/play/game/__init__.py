"""The game engine: rules as data, immutable states, and the observation of each seat."""

from mjopt.play.game.engine import forfeit, legal_moves, start, step
from mjopt.play.game.events import Event, Meld
from mjopt.play.game.match import Course, Match, NextDealer, run_hand
from mjopt.play.game.mjai_log import mjai_lines
from mjopt.play.game.moves import PASS, Action, Move
from mjopt.play.game.observation import View, view_of
from mjopt.play.game.play import Agent, Fault, GameResult, run_game
from mjopt.play.game.public_state import OpenTable, Phase
from mjopt.play.game.record import Record, read_record, write_record
from mjopt.play.game.replay import replay, replay_steps
from mjopt.play.game.rules import GAME_RULES, GMJBG, JJ, M0_RULES, GameRules, get_game_rules
from mjopt.play.game.state import Ending, Outcome, State
from mjopt.play.game.wall import agent_stream, shuffle_wall

__all__ = [
    "GAME_RULES",
    "GMJBG",
    "JJ",
    "M0_RULES",
    "PASS",
    "Action",
    "Agent",
    "Course",
    "Ending",
    "Event",
    "Fault",
    "GameResult",
    "GameRules",
    "Match",
    "Meld",
    "Move",
    "NextDealer",
    "OpenTable",
    "Outcome",
    "Phase",
    "Record",
    "State",
    "View",
    "agent_stream",
    "forfeit",
    "get_game_rules",
    "legal_moves",
    "mjai_lines",
    "read_record",
    "replay",
    "replay_steps",
    "run_game",
    "run_hand",
    "shuffle_wall",
    "start",
    "step",
    "view_of",
    "write_record",
]
