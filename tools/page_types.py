"""Writes the page's types from the server's models: `python tools/page_types.py`.

The models of `hiddenhand.web.schemas` become `web-ui/src/wire_types.ts`; so do the blocks of pictures, and
the pictures of the games that have a screen of their own.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, get_type_hints

from pydantic import TypeAdapter

FILE = Path(__file__).resolve().parents[1] / "web-ui" / "src" / "wire_types.ts"
HEAD = "/** What travels between the page and the server. Written by tools/page_types.py: do not change it here. */\n"
JSON = "export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };"
OWN_SCREENS = ("backgammon", "dominion", "hanabi", "snaps")


def main() -> None:
    FILE.write_text(types(), encoding="utf-8")
    sys.stdout.write(f"{FILE} is written\n")


def types() -> str:
    """The whole file."""
    from hiddenhand.core import picture, resolver
    from hiddenhand.web.schemas import http, lab, outgoing, socket

    sent: dict[str, Any] = {"ServerMessage": outgoing.ServerMessage, "Block": picture.Block}
    answers = (
        outgoing.GameInfo,
        outgoing.TableInfo,
        outgoing.NewTableInfo,
        outgoing.GuideInfo,
        outgoing.ReviewInfo,
        outgoing.ErrorInfo,
    )
    of_the_lab = (
        lab.ExperimentInfo,
        lab.ExperimentSummary,
        lab.LabInfo,
        lab.KindForm,
        lab.Exhibit,
        lab.Started,
    )
    of_uploads = (outgoing.UploadsInfo, outgoing.UploadInfo, outgoing.CheckInfo, outgoing.StepSearchInfo)
    sent |= {model.__name__: model for model in (*answers, *of_the_lab, *of_uploads)}
    games = [resolver.game(name) for name in OWN_SCREENS]
    given = [get_type_hints(game.people.picture).get("return") for game in games]
    sent |= {kind.__name__: kind for kind in given if hasattr(kind, "__total__")}
    said: dict[str, Any] = {"SocketRequest": socket.SocketRequest}
    said |= {
        model.__name__: model
        for model in (http.TableBody, http.BranchBody, http.CheckBody, http.UploadBody, http.StepSearchBody)
    }
    definitions: dict[str, dict[str, Any]] = {}
    for name, root in sent.items():
        gather(definitions, name, TypeAdapter(root).json_schema(ref_template="{model}", mode="serialization"))
    for name, root in said.items():
        gather(definitions, name, TypeAdapter(root).json_schema(ref_template="{model}", mode="validation"))
    return "\n".join([HEAD, JSON, "", *(declared(name, schema) for name, schema in sorted(definitions.items()))])


def gather(definitions: dict[str, dict[str, Any]], name: str, schema: dict[str, Any]) -> None:
    """Add a schema and those it stands on; two things may not have one name."""
    for each, found in {**schema.pop("$defs", {}), name: schema}.items():
        if declared(each, definitions.setdefault(each, found)) != declared(each, found):
            sys.exit(f"two different models are called {each}")


def declared(name: str, schema: dict[str, Any]) -> str:
    about = f"/** {one_line(schema['description'])} */\n" if schema.get("description") else ""
    body = f"interface {name} {written(schema)}" if "properties" in schema else f"type {name} = {written(schema)};"
    return f"{about}export {body}\n"


def written(schema: dict[str, Any]) -> str:
    """A schema as a type of TypeScript."""
    if "$ref" in schema:
        return str(schema["$ref"])
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return " | ".join(dict.fromkeys(written(one) for one in schema[several]))
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    kind = schema.get("type")
    if kind == "array":
        return row(schema)
    if kind == "object":
        return named(schema)
    simple = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
    return simple.get(str(kind), "Json")


def row(schema: dict[str, Any]) -> str:
    if "prefixItems" in schema:
        return f"[{', '.join(written(item) for item in schema['prefixItems'])}]"
    item = written(schema.get("items", {}))
    return f"({item})[]" if " | " in item else f"{item}[]"


def named(schema: dict[str, Any]) -> str:
    if "properties" not in schema:
        inside = schema.get("additionalProperties", {})
        return f"{{ [name: string]: {written(inside) if isinstance(inside, dict) else 'Json'} }}"
    always = set(schema.get("required", ()))
    lines = []
    for name, inner in schema["properties"].items():
        if inner.get("description"):
            lines.append(f"  /** {one_line(inner['description'])} */")
        lines.append(f"  {name}{'' if name in always else '?'}: {written(inner)};")
    return "\n".join(["{", *lines, "}"])


def one_line(text: str) -> str:
    return " ".join(text.split())


if __name__ == "__main__":
    main()
