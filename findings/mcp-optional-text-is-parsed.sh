#!/usr/bin/env bash
# mcp (PyPI, the protocol's own SDK for Python) hands a tool the arguments that a client sends.
#
# Expected: a parameter that takes text gets the text, whether it may be left out or not, as with fastmcp, which is written
# for the same protocol. The schema that clients are shown allows any string.
# Observed: where text may be left out (`str | None`), it is read as JSON first. The text "null" arrives as no text at all,
# and a text that is a list or an object in JSON is refused, by the words "Input should be a valid string". A parameter of
# type `str` is left alone.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --no-compile --disable-pip-version-check "mcp==2.3.0" "fastmcp==4.2.3"

"$folder/venv/bin/python" - <<'PY' 2>"$folder/log" || { cat "$folder/log"; exit 1; }
import asyncio
import sys
from importlib.metadata import version

import fastmcp
import mcp
from mcp.server import MCPServer

TEXTS = ["null", '["tea", "rice"]', '{"shelf": 3}', "tea"]


def tools(server):
    @server.tool()
    def remember(text: str) -> str:
        return repr(text)

    @server.tool()
    def remember_if_any(text: str | None = None) -> str:
        return repr(text)

    return server


async def mcp_gets(tool, text):
    async with mcp.Client(tools(MCPServer("notes"))) as client:
        result = await client.call_tool(tool, {"text": text})
        words = result.content[0].text
        return "refused" if "should be a valid string" in words else words


async def fastmcp_gets(tool, text):
    async with fastmcp.Client(tools(fastmcp.FastMCP("notes"))) as client:
        return (await client.call_tool(tool, {"text": text})).content[0].text


async def observe():
    print("mcp", version("mcp"), "beside fastmcp", version("fastmcp"))
    seen = []
    for text in TEXTS:
        plain, optional = await mcp_gets("remember", text), await mcp_gets("remember_if_any", text)
        beside = await fastmcp_gets("remember_if_any", text)
        print(f"sent {text!r}: str gets {plain}; str | None gets {optional}, with fastmcp {beside}")
        seen.append((plain == repr(text), beside == repr(text), optional))
    return seen


expected = [(True, True, optional) for optional in ("None", "refused", "refused", "'tea'")]
sys.exit(0 if asyncio.run(observe()) == expected else 1)
PY
