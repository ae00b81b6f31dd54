"""Which names people may have: visible letters of one alphabet, not confusable with another name. Follows Unicode's
security mechanisms (UTS 39): the skeletons of names that look alike are equal."""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.utils.translation import gettext, gettext_lazy

NAME_LENGTH = 24
SKELETON_LENGTH = 500  # one letter can look like many, and is taken apart first
BLANKS = "\u115f\u1160\u3164\uffa0"  # the only letters that Unicode shows as nothing
KANA_LENGTH = "ー"  # the one letter of no script that people need
TOGETHER = tuple(
    frozenset({"LATIN", "HAN", *others}) for others in ({"HIRAGANA", "KATAKANA"}, {"BOPOMOFO"}, {"HANGUL"})
)
STAFF_WORDS = ("admin", "administrator", "moderator", "staff", "official", "sectors")  # nor as a part of a name
GUESTS = re.compile(r"guest[\W_]*[\doi]*")  # blurred: a one is an i, a zero an o
SITE_NAMES = ("system", "support", "mod", "root", "bot", "bank", "you", "anybody", "everybody", "nobody", "anonymous")
_reserved: set[str] = set()

validate_name = RegexValidator(
    r"^(?!.*  )[^\W_](?:[\w .'-]*[^\W_])?\Z",
    gettext_lazy("Use letters, digits and single spaces; begin and end with a letter or a digit."),
)


def validate_letters(name: str) -> None:
    """Refuse what cannot be seen and what has a plainer form, such as full-width letters."""
    if any(letter in BLANKS for letter in name):
        raise ValidationError(gettext("This name contains a letter that cannot be seen. Remove it."), code="invisible")
    plain = unicodedata.normalize("NFKC", name)
    if plain != name or any(unicodedata.name(letter, "").startswith("LATIN LETTER SMALL CAPITAL") for letter in name):
        raise ValidationError(
            gettext("Use plain letters and digits, without full-width or ornamental forms."), code="ornamental"
        )


def validate_script(name: str) -> None:
    """Refuse letters of several alphabets, except where a language is written in several."""
    scripts = {_script(letter) for letter in name if letter.isalpha()}
    if "COMMON" in scripts or (len(scripts) > 1 and not any(scripts <= known for known in TOGETHER)):
        raise ValidationError(gettext("Use the letters of one alphabet."), code="mixed_scripts")


def skeleton_of(name: str) -> str:
    """The same for all names that look alike, in any case."""
    return _drawn(_drawn(name).casefold())[:SKELETON_LENGTH]


def reserve(names: Iterable[str]) -> None:
    """Keep names from people; for an application that gives names itself, to bots for example."""
    _reserved.update(names)
    _kept_skeletons.cache_clear()


def is_reserved(name: str) -> bool:
    """Whether it could be mistaken for the site, its staff, or something else that has a name here."""
    words = {*re.split(r"[\W_]+", name), re.sub(r"[\W_]+", "", name)}
    if GUESTS.fullmatch(_blurred(name)):
        return True
    return _blurred(name) in _kept_skeletons() or any(_blurred(word) in _staff_words() for word in words)


@cache
def _kept_skeletons() -> frozenset[str]:
    """Made when a name is first compared: most processes never do."""
    return frozenset(_blurred(name) for name in _reserved)


@cache
def _staff_words() -> frozenset[str]:
    return frozenset(_blurred(word) for word in STAFF_WORDS)


def _blurred(name: str) -> str:
    """A skeleton in which “Adm1n” is “Admin” as well."""
    return skeleton_of(name).replace("l", "i")


def _drawn(name: str) -> str:
    looks = _looks()
    return "".join(looks.get(letter, letter) for letter in unicodedata.normalize("NFD", name))


@cache
def _looks() -> dict[str, str]:
    """By letter, what it looks like. The library lists pairs in both directions; what many look like is listed with all
    of them."""
    from confusable_homoglyphs.confusables import confusables_data  # a megabyte: read when a name is first compared

    pairs = {
        _unmarked(letter): [_unmarked(other["c"]) for other in others] for letter, others in confusables_data.items()
    }
    found = {}
    for letter, (other, *more) in ((letter, others) for letter, others in pairs.items() if others):
        is_drawn = not more and (len(pairs.get(other, ())) > 1 or (-len(other), other) < (-len(letter), letter))
        if is_drawn and len(letter) == 1:
            found[letter] = other
    return found


def _unmarked(text: str) -> str:
    return text.replace("\u200e", "")


def _script(letter: str) -> str:
    from confusable_homoglyphs.categories import alias

    found = "KATAKANA" if letter == KANA_LENGTH else str(alias(letter))
    return "COMMON" if found in {"INHERITED", "Unknown"} else found


reserve(SITE_NAMES)
