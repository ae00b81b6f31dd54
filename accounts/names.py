"""Which names people may have: visible letters of one alphabet, not confusable with another name. Follows Unicode's
security mechanisms (UTS 39): the skeletons of names that look alike are equal."""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext, gettext_lazy

NAME_LENGTH = 24
SKELETON_LENGTH = 500  # one letter can look like many, and is taken apart first
BLANKS = "\u115f\u1160\u3164\uffa0"  # the only letters that Unicode shows as nothing
KANA_LENGTH = "ー"  # the one letter of no script that people need
TOGETHER = tuple(
    frozenset({"LATIN", "HAN", *others}) for others in ({"HIRAGANA", "KATAKANA"}, {"BOPOMOFO"}, {"HANGUL"})
)
ANYWHERE = (
    *("admin", "moderator", "moderation", "moderador", "moderadora", "moderateur", "moderatrice", "amministra"),
    *("superuser", "mitarbeiter", "betreiber", "hausmeister", "caretaker", "verwalter", "verwaltung", "webmaster"),
    *("moderac", "moderazion", "sicherheitsteam", "sicherheitsdienst", "kundendienst", "helpdesk", "gamemaster"),
    *("postmaster", "spielleit", "seitenleit", "forenleit", "turnierleit", "админ", "модератор"),
)
"""Nor anywhere in a word: no other word contains these, but for the next ones."""
HARMLESS = ("badminton",)
STAFF = (
    *("administrator", "administration", "administrateur", "administratrice", "администратор"),
    *("staff", "official", "offiziell", "sectors"),
)
"""Nor as a word of a name, in whichever form and with whatever is put to it."""
SITE = (
    *("system", "support", "mod", "mods", "root", "bot", "bots", "bank", "you", "anybody", "everybody", "nobody"),
    *("anonymous", "host", "hosts", "security", "team", "jemand", "niemand", "alle", "anonym", "sicherheit", "du"),
)
ROLES = ("helper", "operator", "vertretung", "helfer", "gastgeber", "leitung")
"""Nor with nothing but one of PUT_TO put to it; a role in whichever form."""
PUT_TO = (
    *("the", "der", "die", "das", "site", "web", "game", "spiel", "forum", "chat", "global", "super", "sys", "co"),
    *(
        "vize",
        "chef",
        "ober",
        "haupt",
        "head",
        "chief",
        "lead",
        "senior",
        "junior",
        "neu",
        "new",
        "real",
        "echt",
        "true",
    ),
    *("team", "crew", "desk", "help", "hilfe", "service", "account", "konto", "bot", "of", "for"),
    *("system", "server", "seite", "seiten", "foren", "spiele", "turnier", "tournament", "tech", "kunden", "customer"),
)
ENDINGS = r"(?:s|es|e|er|en|n|in|innen)?"
GUESTS = re.compile(r"guests?[\W_]*[\doi]*|gae?st(?:e|en|in|innen)?(?:[\W_]+[\doi]*)?")  # blurred, so 1 is i
NUMBER_WORD = re.compile(r"[\W_]*(?:nr|no|num|nummer|number)[\W_]*(?=[\doil]+$)", re.IGNORECASE)
LINK = re.compile(r"\w\.(?:[^\W\d_]{2,}|\d+\.\d)")
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


def digest_of(name: str) -> str:
    """What is kept of a name that must not be known: the same in any case, and for names that look alike."""
    return str(salted_hmac("accounts.names", _blurred(name), algorithm="sha256").hexdigest())


def reserve(names: Iterable[str]) -> None:
    """Keep names from people; for an application that gives names itself, to bots for example."""
    _reserved.update(names)
    _kept_skeletons.cache_clear()


def is_reserved(name: str) -> bool:
    """Whether it could be mistaken for the site, its staff, or something else that has a name here: in letters with
    accents too, and with digits in place of letters, or a number beside them."""
    forms = {
        form
        for text in (name, NUMBER_WORD.sub(" ", name))
        for form in (text, re.sub(r"^[\d\W_]+|[\d\W_]+$", "", text), re.sub(r"\d+", " ", text))
    }
    if any(GUESTS.fullmatch(_blurred(form)) or _blurred(form) in _kept_skeletons() for form in forms):
        return True
    of_site, of_staff, anywhere, harmless = _patterns()
    whole = {_blurred(re.sub(r"[\W_]+", "", form)) for form in forms}
    words = {_blurred(word) for form in forms for word in re.split(r"[\W_]+", form)}
    if any(map(of_site.fullmatch, whole)) or any(map(of_staff.fullmatch, whole | words)):
        return True
    return any(anywhere.search(harmless.sub(" ", word)) for word in words)


def is_link(name: str) -> bool:
    """Whether programs that show it make it something to click on, as mail readers do with `example.com`."""
    return LINK.search(name) is not None


@cache
def _kept_skeletons() -> frozenset[str]:
    """Made when a name is first compared: most processes never do."""
    return frozenset(_blurred(name) for name in _reserved)


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    """What the site is called, and its staff: a word of theirs among any number that are put to it; then the words that
    mean staff wherever they stand, and the words that merely contain one."""
    around, site, roles = map(_any_of, (PUT_TO, SITE, ROLES))
    staff, anywhere, harmless = map(_any_of, (STAFF, ANYWHERE, HARMLESS))
    shape = r"(?:{around})*(?:{own})(?:{around}|{own})*"
    of_site = f"(?:{site})|(?:{roles}){ENDINGS}"
    of_staff = f"(?:{staff}|{anywhere}){ENDINGS}"
    named = (shape.format(around=around, own=own) for own in (of_site, of_staff))
    return tuple(map(re.compile, (*named, anywhere, harmless)))


def _any_of(words: Iterable[str]) -> str:
    return "|".join({_blurred(form) for word in words for form in (word, word.title(), word.upper())})


def _blurred(name: str) -> str:
    """A skeleton without accents, in which “Adm1n” is “Admin” as well."""
    bare = "".join(letter for letter in skeleton_of(name) if not unicodedata.combining(letter))
    return bare.replace("l", "i")


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
