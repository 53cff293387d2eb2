#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks what `tessera-cli inspect --json` prints against the published schema.

    check_schema.py SCHEMA TESSERA_CLI FILE.hlpipe...

Knows the part of JSON Schema that the schema uses, and refuses a schema that uses more.
"""

import json
import re
import subprocess
import sys

IGNORED = {"$schema", "title", "description", "$defs"}
KNOWN = IGNORED | {
    "type", "required", "properties", "additionalProperties", "items", "enum", "const", "$ref",
    "pattern", "minimum", "minItems", "maxItems", "minProperties", "maxProperties"}
TYPES = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "boolean": lambda v: isinstance(v, bool),
    "null": lambda v: v is None,
}


def problems(value, schema, root, path):
    unknown = set(schema) - KNOWN
    if unknown:
        raise SystemExit(f"the schema uses {sorted(unknown)}, which this check does not know")
    if "$ref" in schema:
        name = schema["$ref"].removeprefix("#/$defs/")
        yield from problems(value, root["$defs"][name], root, path)
    if "type" in schema:
        types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        if not any(TYPES[t](value) for t in types):
            yield f"{path}: {value!r} is not {' or '.join(types)}"
            return
    if "const" in schema and value != schema["const"]:
        yield f"{path}: {value!r} is not {schema['const']!r}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{path}: {value!r} is none of {schema['enum']}"
    if "pattern" in schema and not re.search(schema["pattern"], value):
        yield f"{path}: {value!r} does not match {schema['pattern']}"
    if "minimum" in schema and value < schema["minimum"]:
        yield f"{path}: {value} is below {schema['minimum']}"
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            yield f"{path}: {len(value)} items"
        for i, item in enumerate(value):
            yield from problems(item, schema.get("items", {}), root, f"{path}[{i}]")
    if isinstance(value, dict):
        if not schema.get("minProperties", 0) <= len(value) <= schema.get("maxProperties", len(value)):
            yield f"{path}: {len(value)} members"
        for key in schema.get("required", []):
            if key not in value:
                yield f"{path}: '{key}' is missing"
        members = schema.get("properties", {})
        for key, member in value.items():
            if key in members:
                yield from problems(member, members[key], root, f"{path}.{key}")
            elif schema.get("additionalProperties", True) is False:
                yield f"{path}: '{key}' is not in the schema"


def main():
    schema_file, program, *files = sys.argv[1:]
    with open(schema_file, encoding="utf-8") as stream:
        schema = json.load(stream)
    # A check that cannot fail is none: damage must be noticed.
    assert list(problems({"name": 3}, schema, schema, "$")), "the schema accepts nonsense"
    found = 0
    for file in files:
        printed = subprocess.run([program, "inspect", "--json", file], check=True,
                                 capture_output=True, text=True).stdout
        for problem in problems(json.loads(printed), schema, schema, "$"):
            print(f"{file}: {problem}")
            found += 1
    print(f"{len(files)} documents, {found} problems")
    return 1 if found or not files else 0


if __name__ == "__main__":
    sys.exit(main())
