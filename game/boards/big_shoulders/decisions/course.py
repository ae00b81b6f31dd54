"""Commands of one turn that are planned together: what each leads to, and the bonuses of the appeal track in between.
(BS 1.5, B-82)"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from game.boards.decision import BadField, Filled, Question, Request, Values
from game.boards.shapes import Option
from game.engine.actions import Refused
from game.engine.language import say
from game.rulesets.big_shoulders.offers_placing import move_words
from game.rulesets.big_shoulders.staff import moves_in
from game.rulesets.big_shoulders.tables import APPEAL_BONUSES, BONUS_TITLES, DECLINED_BONUS
from game.rulesets.big_shoulders.view import CompanyView, ShouldersView

BONUS, ACT, COMMAND = "bonus_", "act", "command"
MONEY, TAKE = "money", "take"


class BonusField(msgspec.Struct, frozen=True):
    """A bonus that must be answered: `space` of the appeal track, and the answers."""

    name: str
    company: str
    space: int
    title: str
    options: tuple[Option, ...]


class Course:
    """The commands so far, and the view after them; None once it cannot be foreseen. `filled` is the form with an
    answer for each bonus, `refusal` what the rules say against the last command."""

    def __init__(self, question: Question) -> None:
        self._question = question
        self.filled = question.filled
        self.requests: list[Request] = []
        self.bonuses: list[BonusField] = []
        self.refusal: Refused | None = None
        self.after: ShouldersView | None = question.view

    def do(self, request: Request, stage: int = 0) -> bool:
        """Carry out one more command, and answer the bonuses that it brings. False if that failed."""
        return self._try(request) and self.settle(stage)

    def settle(self, stage: int = 0) -> bool:
        """Answer every open bonus as the form says, or with the first answer."""
        while self.after is not None and self.after.owed:
            field = bonus_field(self.after, self.filled, stage)
            self.bonuses.append(field)
            chosen = next(option.value for option in field.options if option.checked)
            self.filled = self.filled.with_(**{field.name: chosen})
            if not self._try(answer(field.space, chosen)):
                return False
        return self.after is not None

    def _try(self, request: Request) -> bool:
        self.requests.append(request)
        try:
            self.after = self._question.foresee(*self.requests)
        except Refused as refusal:
            self.refusal, self.after = refusal, None
        return self.after is not None


def bonus_field(view: ShouldersView, form: Filled, stage: int) -> BonusField:
    """The first open bonus with its answers; the one that the form chose is checked."""
    owed = view.owed[0]
    company = next(each for each in view.companies if each.key == owed.company)
    name = f"{BONUS}{stage}_{owed.space}"
    answers = dict(_answers(company, APPEAL_BONUSES[owed.space]))
    chosen = form.get(name) if form.get(name) in answers else next(iter(answers))
    options = tuple(Option(value, label, checked=value == chosen) for value, label in answers.items())
    title = say(BONUS_TITLES[APPEAL_BONUSES[owed.space]])
    return BonusField(name, owed.company, owed.space, title, options)


def _answers(company: CompanyView, bonus: str) -> Iterator[tuple[str, str]]:
    free = free_spaces(company)
    if bonus == "worker":
        for number, spaces in enumerate(free, 1):
            if spaces:
                yield f"{TAKE}:{number}", say("Factory {number}", number=number)
    elif bonus == "automation":
        for move in moves_in([factory.workers for factory in company.factories], free):
            yield f"{TAKE}:{move}", move_words(move)
    else:
        yield TAKE, say("Take it")
    yield MONEY, say("{amount} instead", amount=DECLINED_BONUS)


def free_spaces(company: CompanyView) -> list[int]:
    """Staff spaces without worker and automation, by factory."""
    return [factory.staff - factory.workers - factory.automated for factory in company.factories]


def answer(space: int, chosen: str) -> Request:
    """The request of an answer. Raises `BadField`."""
    act, _, target = chosen.partition(":")
    if space not in APPEAL_BONUSES or act not in {TAKE, MONEY}:
        raise BadField("", "There is no such answer to a bonus.", "BS 1.5")
    if act == MONEY:
        return {"kind": "bonus", "take": False}
    if APPEAL_BONUSES[space] == "automation":
        return {"kind": "bonus", "take": True, "move": target}
    if APPEAL_BONUSES[space] == "worker":
        return {"kind": "bonus", "take": True, "factory": int(target) if target.isdecimal() else 0}
    return {"kind": "bonus", "take": True}


def answers_in(form: Filled, stage: int) -> list[Request]:
    """The answers that a form holds for one stage, in the order in which they are asked. Raises `BadField`."""
    prefix = f"{BONUS}{stage}_"
    spaces = sorted(int(space) for space in form.under(prefix) if space.isdecimal())
    return [answer(space, form.get(f"{prefix}{space}")) for space in spaces]


def without_bonuses(form: Filled) -> Filled:
    """A form in which no bonus is answered."""
    return Filled({name: values for name, values in form.all().items() if not name.startswith(BONUS)})


def read_command(form: Filled) -> list[Request]:
    """A single command, which only programs ask about. Raises `BadField`."""
    try:
        return [msgspec.json.decode(form.get(COMMAND), type=dict[str, Any])]
    except (msgspec.DecodeError, RecursionError) as error:
        raise BadField(COMMAND, "This command cannot be read.", "BS 3") from error


def fill_command(request: Mapping[str, Any]) -> Values:
    return {ACT: [COMMAND], COMMAND: [msgspec.json.encode(request).decode()]}


def company_of(view: Any, key: str) -> CompanyView:
    """A company by its key."""
    return next(company for company in view.companies if company.key == key)
