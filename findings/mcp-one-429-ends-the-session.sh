#!/usr/bin/env bash
# mcp 1.30.0 (PyPI, the protocol's own SDK for Python, in the line that most servers and agents were written for) calls a
# tool, and the server answers one call with 429: come again later. The answer holds an error of the protocol, too.
#
# Expected: that call fails, and the next one is made, as with 2.3.0.
# Observed: the calls under way are cancelled, the status is raised where the client was opened, and the session is over:
# the next call is not sent. The same happens with 400 and 500.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for version in 1.30.0 2.3.0; do
    python3 -m venv "$folder/$version"
    "$folder/$version/bin/pip" install --quiet --no-compile --disable-pip-version-check "mcp==$version"
done

cat >"$folder/observe.py" <<'PY'
import asyncio
import contextlib
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import version

import mcp
from mcp.client import streamable_http

PATIENCE = 20
RESULTS = {
    "initialize": {
        "protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "notes", "version": "1"}
    },
    "tools/call": {"content": [{"type": "text", "text": "tea"}]},
    "tools/list": {"tools": [{"name": "recall", "inputSchema": {"type": "object"}}]},
}


class Notes(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    calls = 0

    def log_message(self, *_):
        pass

    def say(self, status, message=None):
        body = b"" if message is None else json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.say(405)

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if "id" not in asked:
            return self.say(202)
        Notes.calls += asked["method"] == "tools/call"
        if asked["method"] == "tools/call" and Notes.calls == 1:
            return self.say(429, {"id": asked["id"], "error": {"code": -31000, "message": "come again later"}})
        self.say(200, {"id": asked["id"], "result": RESULTS[asked["method"]]})


@contextlib.asynccontextmanager
async def opened(url):
    if version("mcp").startswith("2."):
        async with mcp.Client(url, mode="legacy") as client:
            yield client
        return
    async with streamable_http.streamablehttp_client(url) as (read, write, _):
        async with mcp.ClientSession(read, write) as client:
            await client.initialize()
            yield client


async def call_twice(url):
    said = []
    try:
        async with opened(url) as client:
            for _ in range(2):
                try:
                    said.append((await client.call_tool("recall", {})).content[0].text)
                except BaseException as error:
                    said.append(type(error).__name__)
    except BaseException as error:
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        said.append(type(error).__name__)
    return said


server = ThreadingHTTPServer(("127.0.0.1", 0), Notes)
threading.Thread(target=server.serve_forever, daemon=True).start()
said = asyncio.run(asyncio.wait_for(call_twice(f"http://127.0.0.1:{server.server_port}/mcp"), PATIENCE))
print(f"mcp {version('mcp')}: first call, second call, session: {', '.join(said)}; calls that were sent: {Notes.calls}")
goes_on = ["MCPError", "tea"]
ends = ["CancelledError", "CancelledError", "HTTPStatusError"]
sys.exit(0 if said == (goes_on if version("mcp").startswith("2.") else ends) else 1)
PY

for version in 2.3.0 1.30.0; do
    "$folder/$version/bin/python" -W ignore "$folder/observe.py" 2>"$folder/log" || { cat "$folder/log"; exit 1; }
done
