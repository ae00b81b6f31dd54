"""Rules for names: visible letters of one alphabet, not confusable with another name. Follows Unicode's security
mechanisms (UTS 39): look-alike names have equal skeletons."""

import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import cache

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext, gettext_lazy

from accounts.reserved_words import (
    AFFIXES,
    BOT_TITLES,
    EMPTY_STATES,
    GUEST_NOUNS,
    OFFICES,
    ROLE_NAMES,
    SEAT_NOUNS,
    SITE_NAMES,
    STAFF_STEMS,
    STAFF_TITLES,
    STAFF_WORDS,
    STEM_EXCEPTIONS,
    UNITS,
)

NAME_LENGTH = 24
SKELETON_LENGTH = 500  # one letter can expand to many
LONGEST_SOUGHT = 400  # letters: no name and no address is as long
BLANKS = "\u115f\u1160\u3164\uffa0"  # the only invisible letters
PROLONGED_SOUND_MARK = "ー"  # the only letter without a script that is allowed
SCRIPT_GROUPS = tuple(
    frozenset({"LATIN", "HAN", *others}) for others in ({"HIRAGANA", "KATAKANA"}, {"BOPOMOFO"}, {"HANGUL"})
)
JOINTS = "(?:er?|e?s|e?n|and|und)?"
ARTICLE = "(?:an?|eine?r?)?"
ARTICLES = ("the", "a", "an", "der", "die", "das", "ein", "eine", "einer")
ENDINGS = r"(?:s|es|e|er|ers|en|n|in|innen)?"
WORDS = re.compile(r"[\W_]+|(?<=[a-z])(?=[A-Z])")
GUESTS = re.compile(
    r"(?:(?:the|an?|der|die|eine?)[\W_]+)?(?:guests?[\W_]*[\doi]*|gae?st(?:e|en|in|innen)?(?:[\W_]+[\doi]*)?)"
)  # matched after _blur, where 1 is i
NUMBERED_GUEST = re.compile(r"(?:^|[\W_])(?:guests?|gae?st(?:e|en|in|innen)?)[\W_]*\d")
NUMBER_WORDS = (
    "zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|hundred|thousand|and|(?:thir|fif|eigh)teen|"
    "(?:four|six|seven|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|null|eins?|zwei|drei|vier|f(?:ü|ue?)nf|"
    "sechs?|sieb(?:en)?|acht|neun|zehn|elf|zw(?:ö|oe?)lf|zwanzig|drei(?:ß|ss)ig|zig|hundert|tausend|und"
)
ROMAN = "(?=[ivxlcdm])m*(?:c[md]|d?c{0,3})(?:x[cl]|l?x{0,3})(?:i[xv]|v?i{0,3})"
COUNT = re.compile(
    rf"(?:[\W_]+(?:nr|no|num|nummer|number))?[\W_]+(?:(?:(?:{NUMBER_WORDS})[\W_]*)+|{ROMAN}|[^\W\d_])$", re.IGNORECASE
)
"""A number at the end that is not written in digits: “Gast Zwölf”, “Gast XII”, “Guest A”."""
ORDINAL = (
    rf"(?:(?:{NUMBER_WORDS})[\W_]*)*(?:first|second|third|fifth|eighth|ninth|twelfth|(?:{NUMBER_WORDS}|million)th|"
    r"(?:twen|thir|for|fif|six|seven|eigh|nine)tieth|"
    rf"(?:erst|dritt|siebt|(?:{NUMBER_WORDS})s?t)e[nrs]?|\d+(?:st|nd|rd|th|te[nrs]?))"
)
NUMBER = re.compile(
    rf"(?:(?:{NUMBER_WORDS}|nil|dozen|dutzend|millione?n?)[\W_]*)+|{ORDINAL}|[〇一二三四五六七八九十百千]+|\d+",
    re.IGNORECASE,
)
ROMAN_NUMBER = re.compile("[IVX]{2,}")
"""Also such as nobody writes, as “IIX”."""
COUNT_PARTS = re.compile(r"[\W_]+|(?<=[a-zäöüß])(?=[A-ZÄÖÜ])|(?<=[^\W\d_])(?=\d+$)")
JOINED_NUMBER = re.compile(rf"(?!.*[^s]ein$)(.+?)(?:{NUMBER_WORDS})+$", re.IGNORECASE)
"""“Playertwo”, but not “Gastein”."""
NUMBER_WORD = re.compile(r"[\W_]*(?:nr|no|num|nummer|number)[\W_]*(?=[\doil]+$)", re.IGNORECASE)
LINK = re.compile(r"\w\.(?:[^\W\d_]{2,}|\d+\.\d)")
DIGITS_AS_LETTERS = str.maketrans("34578", "eastb")  # `_blur` does the same for 0 and 1
NameSource = Callable[[], Iterable[str]]
_name_sources: list[NameSource] = []

validate_name = RegexValidator(
    r"^(?!.*  )[^\W_](?:[\w .'-]*[^\W_])?\Z",
    gettext_lazy("Use letters, digits and single spaces; begin and end with a letter or a digit."),
)


def validate_letters(name: str) -> None:
    """Refuse invisible letters, and letters that have a plainer form, such as full-width ones."""
    if any(letter in BLANKS for letter in name):
        raise ValidationError(gettext("This name contains a letter that cannot be seen. Remove it."), code="invisible")
    plain = unicodedata.normalize("NFKC", name)
    if plain != name or any(unicodedata.name(letter, "").startswith("LATIN LETTER SMALL CAPITAL") for letter in name):
        raise ValidationError(
            gettext("Use plain letters and digits, without full-width or ornamental forms."), code="ornamental"
        )


def validate_script(name: str) -> None:
    """Refuse a mix of alphabets, unless a language is written in several."""
    scripts = {_script(letter) for letter in name if letter.isalpha()}
    if "COMMON" in scripts or (len(scripts) > 1 and not any(scripts <= group for group in SCRIPT_GROUPS)):
        raise ValidationError(gettext("Use the letters of one alphabet."), code="mixed_scripts")


def sought(text: str) -> str:
    """A name or an address as the database searches for it. No account has a longer one, so longer text is cut; SQLite
    refuses to compare 50,000 letters in any case."""
    return text[:LONGEST_SOUGHT]


def skeleton_of(name: str) -> str:
    """A key that is equal for all names that look alike, in any case."""
    return _to_prototypes(_to_prototypes(name).casefold())[:SKELETON_LENGTH]


def digest_of(name: str) -> str:
    """A digest for names that must not be stored: equal in any case and for names that look alike."""
    return str(salted_hmac("accounts.names", _blur(name), algorithm="sha256").hexdigest())


def reserve(source: NameSource) -> None:
    """Reserve names that the application itself gives or prints, for example to bots. The sources are called at the
    first comparison."""
    _name_sources.append(source)
    _reserved_skeletons.cache_clear()


def is_reserved(name: str, *, is_bot: bool = False) -> bool:
    """True if the name could be mistaken for the site, its staff or anything else that has a name here: also with
    accents, with digits instead of letters, or with a number added. `is_bot`: for an account that is a bot."""
    forms = {
        form
        for text in (name, NUMBER_WORD.sub(" ", name), name.translate(DIGITS_AS_LETTERS))
        for form in (text, re.sub(r"^[\d\W_]+|[\d\W_]+$", "", text), re.sub(r"\d+", " ", text))
    }
    return _is_guest(forms) or _is_taken_without_number(name) or _is_of_site(forms, is_bot=is_bot)


def _is_guest(forms: Iterable[str]) -> bool:
    """True if a form of a name reads like a guest's, alone or with a number."""
    return any(
        GUESTS.fullmatch(_blur(form)) or NUMBERED_GUEST.search(_blur(re.sub(r"\d", "9", form)))  # 9 resembles no letter
        for form in forms
    )


def _is_taken_without_number(name: str) -> bool:
    """True if the name without its number is the site's, or one of those that are counted, such as seats."""
    of_site, _, _, of_counted, _, _ = _patterns()
    rests = _rests(name)
    counted = {*rests, _blur(_joined(COUNT.sub("", name))) if COUNT.search(name) else ""}
    return bool(
        rests & _reserved_skeletons() or any(map(of_site.fullmatch, rests)) or any(map(of_counted.fullmatch, counted))
    )


def _is_of_site(forms: Iterable[str], *, is_bot: bool) -> bool:
    """True if a form of a name, or a word in it, is a name of the site, its staff or its bots."""
    of_site, of_staff, of_bot, _, anywhere, harmless = _patterns()
    whole = {_blur(_joined(form)) for form in forms}
    words = {_blur(word) for form in forms for word in WORDS.split(form)}
    if whole & _reserved_skeletons() or any(map(of_site.fullmatch, whole)):
        return True
    if any(map(of_staff.fullmatch, whole | words)) or (not is_bot and any(map(of_bot.fullmatch, words))):
        return True
    return any(anywhere.search(harmless.sub(" ", word)) for word in words)


def _rests(name: str) -> set[str]:
    """The name without the number in it, wherever that is and however it is written; empty if there is none."""
    parts = [part for part in COUNT_PARTS.split(name) if part]
    rest = [part for part in parts if not (NUMBER.fullmatch(part) or ROMAN_NUMBER.fullmatch(part))]
    words = [part for part in rest if len(part) > 1 and part.lower() not in ARTICLES]  # “Guest A 1”
    joined = JOINED_NUMBER.match(_joined(name))
    rests = [*([rest, words] if len(rest) < len(parts) else []), joined[1] if joined else ""]
    return {_blur(_joined("".join(each))) for each in rests if each}


def is_link(name: str) -> bool:
    """True if programs would turn the name into a link, as mail readers do with `example.com`."""
    return LINK.search(name) is not None


@cache
def _reserved_skeletons() -> frozenset[str]:
    """Built at the first comparison: most processes never need it."""
    return frozenset(_blur(_joined(name)) for source in _name_sources for name in source())


def _joined(name: str) -> str:
    return re.sub(r"[\W_]+", "", name)


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    """Patterns for names of the site, of its staff and of bots, each with any number of affixes; for guests and seats,
    which are counted; then for the stems that mean staff anywhere, and for their exceptions."""
    affixes, site, roles, titles = map(_alternatives, (AFFIXES, SITE_NAMES, ROLE_NAMES, STAFF_TITLES))
    staff, anywhere, harmless = map(_alternatives, (STAFF_WORDS, STAFF_STEMS, STEM_EXCEPTIONS))
    shape = r"(?:{around})*(?:{own})(?:{around}|{own})*"
    states, nouns, bots = map(_alternatives, (EMPTY_STATES, SEAT_NOUNS, BOT_TITLES))
    state, noun = f"(?:{states}){ENDINGS}", f"(?:{nouns}){ENDINGS}"
    offices, units, counted = map(_alternatives, (OFFICES, UNITS, (*SEAT_NOUNS, *GUEST_NOUNS)))
    articles = _alternatives(ARTICLES)
    office = f"(?:(?:{offices}){JOINTS})+(?:{units}){ENDINGS}|(?:{units}){ENDINGS}(?:{offices}){ENDINGS}"
    of_site = f"(?:{site})|(?:{roles}){ENDINGS}|{office}|{ARTICLE}{state}{noun}|{ARTICLE}{noun}{state}"
    of_staff = f"(?:{staff}|{anywhere}){ENDINGS}|{titles}"
    patterns = (shape.format(around=affixes, own=own) for own in (of_site, of_staff, bots))
    return tuple(map(re.compile, (*patterns, f"(?:{articles})?(?:{counted}){ENDINGS}", anywhere, harmless)))


def _alternatives(words: Iterable[str]) -> str:
    return "|".join({_blur(form) for word in words for form in (word, word.title(), word.upper())})


def _blur(name: str) -> str:
    """A skeleton without accents; confusable digits: 1 looks like i, 0 like o, so “Adm1n” equals “Admin”."""
    bare = "".join(letter for letter in skeleton_of(name) if not unicodedata.combining(letter))
    return bare.replace("l", "i")


def _to_prototypes(name: str) -> str:
    prototypes = _prototypes()
    return "".join(prototypes.get(letter, letter) for letter in unicodedata.normalize("NFD", name))


@cache
def _prototypes() -> dict[str, str]:
    """Each letter's look-alike. The library lists pairs in both directions; a letter that many look like is listed with
    all of them."""
    from confusable_homoglyphs.confusables import confusables_data  # a megabyte: loaded at the first comparison

    pairs = {
        _unmarked(letter): [_unmarked(other["c"]) for other in others] for letter, others in confusables_data.items()
    }
    prototypes = {}
    for letter, (other, *more) in ((letter, others) for letter, others in pairs.items() if others):
        is_replaced = not more and (len(pairs.get(other, ())) > 1 or (-len(other), other) < (-len(letter), letter))
        if is_replaced and len(letter) == 1:
            prototypes[letter] = other
    return prototypes


def _unmarked(text: str) -> str:
    return text.replace("\u200e", "")


def _script(letter: str) -> str:
    from confusable_homoglyphs.categories import alias

    script = "KATAKANA" if letter == PROLONGED_SOUND_MARK else str(alias(letter))
    return "COMMON" if script in {"INHERITED", "Unknown"} else script
