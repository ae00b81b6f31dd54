"""What the API has promised, and what of it a contract no longer keeps: v1 only grows.

`docs/api/promised.json` is the contract without its words, a line for each operation, shape and webhook. Run as a
program this adds what is new in the contract. What was promised stays: it is taken away or narrowed only where the
CHANGELOG names it, as the test prints it, on a line that begins with “API breaks:”."""

import json
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from tests.servers import ROOT

PROMISED = ROOT / "docs" / "api" / "promised.json"
CHANGELOG = ROOT / "CHANGELOG.md"
WORDS = {"description", "title", "summary", "tags", "default"}
LOWEST, HIGHEST = ("minimum", "minLength", "minItems"), ("maximum", "maxLength", "maxItems")
Schema = Mapping[str, Any]


def promised(contract: Schema) -> dict[str, dict[str, Any]]:
    """A contract without its words and without what is refused."""
    calls = {
        f"{method.upper()} {path}": _call(operation)
        for path, methods in contract["paths"].items()
        for method, operation in methods.items()
    }
    shapes = {name: _bare(shape) for name, shape in contract["components"]["schemas"].items()}
    hooks = {kind: _content(told["post"]["requestBody"]) for kind, told in contract["webhooks"].items()}
    return {"operations": calls, "shapes": shapes, "webhooks": hooks}


def _call(operation: Schema) -> dict[str, Any]:
    answers = {status: _content(told) for status, told in operation["responses"].items() if status < "400"}
    found = {"id": operation["operationId"], "needs": operation["description"], "answers": answers}
    values_by_key = {
        f"{each['in']} {each['name']}": {"required": each.get("required", False), "schema": _bare(each["schema"])}
        for each in operation.get("parameters", [])
    }
    body = {"body": _content(operation["requestBody"])} if "requestBody" in operation else {}
    return {**found, "parameters": values_by_key, **body}


def _content(told: Schema) -> Any:
    result = told.get("content", {}).get("application/json")
    return None if result is None else _bare(result["schema"])


def _bare(schema: Any) -> Any:
    """A schema without its words; the names of properties are none."""
    if isinstance(schema, list):
        return [_bare(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        name: {key: _bare(each) for key, each in value.items()} if name == "properties" else _bare(value)
        for name, value in schema.items()
        if name not in WORDS
    }


def breaks(old: Schema, new: Schema) -> list[str]:
    """What the one promised and the other does not keep."""
    comparison, found = Comparison(old["shapes"], new["shapes"]), []
    for name, call in old["operations"].items():
        found += (
            [f"{name}: gone"] if name not in new["operations"] else comparison.call(name, call, new["operations"][name])
        )
    for kind, shape in old["webhooks"].items():
        known = new["webhooks"]
        found += comparison.schema(shape, known[kind], kind, False) if kind in known else [f"{kind}: gone"]
    return found


class Comparison:
    """Two contracts side by side, each with its shapes by name."""

    def __init__(self, old: Schema, new: Schema) -> None:
        self.old, self.new, self.seen = old, new, set[tuple[str, str, bool]]()

    def call(self, name: str, old: Schema, new: Schema) -> Iterator[str]:
        """An operation: its name, its scope, what it takes and what it answers."""
        for part in ("id", "needs"):
            if old[part] != new[part]:
                yield f"{name}: {old[part]} is {new[part]}"
        yield from self._parameters(name, old["parameters"], new["parameters"])
        if new.get("body"):
            yield from self.schema(old.get("body") or {"type": "object"}, new["body"], f"{name} takes", True)
        for status, told in old["answers"].items():
            if status not in new["answers"]:
                yield f"{name} {status}: gone"
            elif told is not None:
                yield from self.schema(told, new["answers"][status] or {}, f"{name} answers", False)

    def _parameters(self, name: str, old: Schema, new: Schema) -> Iterator[str]:
        for each, told in new.items():
            if told["required"] and not (each in old and old[each]["required"]):
                yield f"{name} {each}: is required"
        for each, told in old.items():
            if each in new:
                yield from self.schema(told["schema"], new[each]["schema"], f"{name} {each}", True)
            else:
                yield f"{name} {each}: gone"

    def schema(self, old: Schema, new: Schema, where: str, sent: bool) -> Iterator[str]:
        """What fits the one and not the other: `sent` by clients, or told to them."""
        names = (old.get("$ref", ""), new.get("$ref", ""), sent)
        if all(names[:2]):
            where = names[0].rpartition("/")[2]
            if names in self.seen:
                return
            self.seen.add(names)
        before, after = _found(old, self.old), _found(new, self.new)
        if "anyOf" in before or "anyOf" in after:
            yield from self._one_of(before.get("anyOf", [before]), after.get("anyOf", [after]), where, sent)
        elif before.get("type") != after.get("type"):
            if before.get("type", not sent) and after.get("type", sent):
                yield f"{where}: {before.get('type', 'anything')} is {after.get('type', 'anything')}"
        else:
            yield from self._same_kind(before, after, where, sent)

    def _one_of(self, old: list[Schema], new: list[Schema], where: str, sent: bool) -> Iterator[str]:
        """Alternatives: none is taken away, and answers get more only of the shapes that say their kind."""
        for each in old:
            if not any(self._fits(each, other, sent) for other in new):
                yield f"{where}: no longer {_word(each)}"
        for each in new:
            if not sent and "$ref" not in each and not any(self._fits(other, each, sent) for other in old):
                yield f"{where}: may be {_word(each)}"

    def _fits(self, old: Schema, new: Schema, sent: bool) -> bool:
        inner = Comparison(self.old, self.new)
        inner.seen = set(self.seen)  # shapes may hold themselves
        return old.get("$ref") == new.get("$ref") and not list(inner.schema(old, new, "", sent))

    def _same_kind(self, old: Schema, new: Schema, where: str, sent: bool) -> Iterator[str]:
        if lost := [each for each in old.get("enum", []) if each not in new.get("enum", [each])]:
            yield f"{where}: no longer {', '.join(map(str, lost))}"
        if sent:
            yield from _narrowed(old, new, where)
        for name, shape in old.get("properties", {}).items():
            if name in new.get("properties", {}):
                yield from self.schema(shape, new["properties"][name], f"{where}.{name}", sent)
            else:
                yield f"{where}.{name}: gone"
        one, other = (old, new) if sent else (new, old)
        for name in set(other.get("required", [])) - set(one.get("required", [])):
            yield f"{where}.{name}: is required" if sent else f"{where}.{name}: may be missing"
        for part in ("items", "additionalProperties"):
            if isinstance(old.get(part), dict) and isinstance(new.get(part), dict):
                yield from self.schema(old[part], new[part], f"{where}[]", sent)
        for place, (one, other) in enumerate(zip(old.get("prefixItems", []), new.get("prefixItems", []), strict=False)):
            yield from self.schema(one, other, f"{where}[{place}]", sent)


def _narrowed(old: Schema, new: Schema, where: str) -> Iterator[str]:
    """Limits on what clients send that are tighter than they were."""
    for name in LOWEST:
        if new.get(name, -1) > old.get(name, -1):
            yield f"{where}: {name} is {new[name]}"
    for name in HIGHEST:
        if name in new and new[name] < old.get(name, new[name] + 1):
            yield f"{where}: {name} is {new[name]}"
    if "pattern" in new and new["pattern"] != old.get("pattern"):
        yield f"{where}: pattern is {new['pattern']}"
    if "enum" in new and "enum" not in old:
        yield f"{where}: is one of a few"


def _found(schema: Schema, shapes: Schema) -> Schema:
    found: Schema = shapes[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
    return found


def _word(schema: Schema) -> str:
    return str(schema.get("$ref", schema.get("type", "anything"))).rpartition("/")[2]


def read() -> dict[str, dict[str, Any]]:
    """What was promised."""
    found: dict[str, dict[str, Any]] = json.loads(PROMISED.read_text(encoding="utf-8"))
    return found


def unannounced(new: Schema) -> list[str]:
    """What is no longer kept, and not named in the CHANGELOG."""
    lines = [line for line in CHANGELOG.read_text(encoding="utf-8").splitlines() if "API breaks:" in line]
    return [each for each in breaks(read(), new) if not any(f"`{each}`" in line for line in lines)]


def written(found: Schema) -> str:
    """As it is kept: a line for each."""
    parts = (
        f" {json.dumps(part)}: {{\n"
        + ",\n".join(f"  {json.dumps(name)}: {json.dumps(each, sort_keys=True)}" for name, each in sorted(kept.items()))
        + "\n }"
        for part, kept in found.items()
    )
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    contract = promised(json.loads((ROOT / "docs" / "api" / "openapi.json").read_text(encoding="utf-8")))
    if PROMISED.exists() and (lost := unannounced(contract)):
        sys.exit("These were promised, and CHANGELOG.md does not name them:\n" + "\n".join(lost))
    PROMISED.write_text(written(contract), encoding="utf-8")
