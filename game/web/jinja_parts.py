"""Faster rendering of pages with many parts: Jinja2's semantics without its work per part and per call."""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableMapping
from types import CodeType
from typing import Any

from django.utils.safestring import SafeString
from jinja2 import Environment, Template
from jinja2.runtime import Context
from markupsafe import Markup, escape

Draw = Callable[[Context], Iterator[str]]
Blocks = dict[str, Draw]
SAFE = frozenset({SafeString, Markup})


class Page(Context):
    """The context of a part. Whether a tag takes the context is looked up once; parts have no globals of their own."""

    def __init__(
        self,
        environment: Environment,
        parent: dict[str, Any],
        name: str | None,
        blocks: Blocks,
        globals: MutableMapping[str, Any] | None = None,  # noqa: A002 - Jinja2's name
    ) -> None:
        super().__init__(environment, parent, name, blocks)

    def call(self, called: Any, *args: Any, _loop_vars: Any = None, _block_vars: Any = None, **named: Any) -> Any:
        """Call a tag directly; use Jinja2's way for anything else, and for tags that may read loop variables."""
        takes_context = self.environment.tags.get(called)  # type: ignore[attr-defined]
        if takes_context is None or (takes_context and (_loop_vars or _block_vars)):
            return super().call(called, *args, _loop_vars=_loop_vars, _block_vars=_block_vars, **named)
        return called(self, *args, **named) if takes_context else called(*args, **named)


class Part(Template):
    """A part is passed to its parent as one string, not piece by piece through every enclosing part."""

    @classmethod
    def from_code(
        cls,
        environment: Environment,
        code: CodeType,
        globals: MutableMapping[str, Any],  # noqa: A002 - Jinja2's name
        uptodate: Callable[[], bool] | None = None,
    ) -> Template:
        """Create a part from its compiled code."""
        part = super().from_code(environment, code, globals, uptodate)
        part.root_render_func.__globals__["escape"] = printed
        part.root_render_func = in_one(part.root_render_func)
        return part


class Pages(Environment):
    """An environment for pages of many parts: work that Jinja2 repeats for each part is done once per template."""

    context_class, template_class = Page, Part

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.tags: dict[Callable[..., Any], bool] = {}  # tag -> whether it takes the context

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """A plain dict: each part iterates over all of it, six times as fast as over a ChainMap."""
        return {**self.globals, **(d or {})}


def in_one(draw: Draw) -> Draw:
    """Render into one string."""

    def render_whole(context: Context) -> Iterator[str]:
        yield "".join(draw(context))

    return render_whole


def printed(value: Any) -> str:
    """A value as the page prints it: escaped, unless it is safe or a number."""
    kind = type(value)
    if kind in SAFE:
        return value  # type: ignore[no-any-return]
    return str(value) if kind is int else escape(value)
