"""The two kinds of templates: each name means one thing, and all of them can be read."""

import pytest
from django.template import Context, Template
from jinja2 import UndefinedError

from game.jinja import LIBRARIES
from tests.pages.panels import page_engine


def test_no_two_libraries_give_a_name_twice() -> None:
    names = [name for module in LIBRARIES for name in (*module.register.tags, *module.register.filters)]
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
