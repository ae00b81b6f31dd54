"""The two kinds of templates: each name means one thing, and all of them can be read."""

from types import SimpleNamespace

import pytest
from django.template import Context, Template
from jinja2 import UndefinedError

from game.boards.drawing import icon
from game.boards.registry import BOARDS
from game.web.jinja import LIBRARIES
from tests.pages.panels import page_engine


def test_no_two_libraries_or_boards_give_a_name_twice() -> None:
    names = [name for module in LIBRARIES for name in (*module.register.tags, *module.register.filters)]
    names += [drawn.__name__ for board in BOARDS.values() for drawn in (*board.tags, *board.filters)]
    assert len(names) == len(set(names))


def test_every_template_can_be_compiled() -> None:
    engine = page_engine()
    assert len(engine.list_templates()) > 40
    for name in engine.list_templates():
        assert engine.get_template(name)


def test_a_tag_is_a_function_of_the_same_name() -> None:
    there = Template('{% load marks %}{% icon "seal" %}{{ 1234|money }}').render(Context())
    assert page_engine().from_string('{{ icon("seal") }}{{ 1234|money }}').render() == there


def test_what_a_person_typed_is_escaped_and_an_unknown_name_is_an_error() -> None:
    engine = page_engine()
    assert engine.from_string("{{ name }}").render(name="<b>") == "&lt;b&gt;"
    with pytest.raises(UndefinedError):
        engine.from_string("{% if nmae %}{% endif %}").render(name="")


def test_what_is_safe_is_printed_as_it_is_and_numbers_and_nothing_as_words() -> None:
    safe, text = icon("seal"), "{{ safe }}{{ count }}{{ lasts }}{{ nothing }}{{ typed }}"
    result = page_engine().from_string(text).render(safe=safe, count=3, lasts=True, nothing=None, typed=Typed("<i>"))
    assert result == f"{safe}3TrueNone&lt;i&gt;"


def test_a_tag_knows_what_a_loop_has_set() -> None:
    ann, bob = (SimpleNamespace(name=name, is_you=False, url="") for name in ("Ann", "Bob"))
    looped = "{% for one in people %}{% set seats = [one] %}{{ seat_name(0) }} {% endfor %}{{ seat_name(0) }}"
    result = page_engine().from_string(looped).render(people=[ann, bob], seats=[SimpleNamespace(is_you=True)])
    assert result == "Ann Bob You"


def test_a_macro_escapes_what_it_is_given() -> None:
    sentence = "{% macro told(words) %}<i>{{ words }}</i>{% endmacro %}{{ told('<b>') }}"
    assert page_engine().from_string(sentence).render() == "<i>&lt;b&gt;</i>"


class Typed(str):
    """A text of its own kind, as a lazy one is."""
