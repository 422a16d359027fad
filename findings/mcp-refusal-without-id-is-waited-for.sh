#!/usr/bin/env bash
# mcp 2.3.0 and 1.30.0 (PyPI, the protocol's own SDK for Python) call a tool over HTTP, and the whole answer to that POST is
# an error without an id, as JSON-RPC 2.0 wants it from a server that could not read the request ("id": null).
#
# Expected: the call fails with that error. A POST has one answer, so nothing else can be coming.
# Observed: the answer has arrived and its connection is done, but the call waits on; without a time-out of one's own, for
# ever. With status 400 in place of 200 the same body ends the wait.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for version in 2.3.0 1.30.0; do
    python3 -m venv "$folder/$version"
    "$folder/$version/bin/pip" install --quiet --no-compile --disable-pip-version-check "mcp==$version"
done

cat >"$folder/observe.py" <<'PY'
import asyncio
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import version

import mcp
from mcp.client import streamable_http

PATIENCE = 8
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "notes", "version": "1"}}


class Notes(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    status = 200
    tells_id = True

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
            self.say(202)
        elif asked["method"] == "initialize":
            self.say(200, {"id": asked["id"], "result": HELLO})
        elif asked["method"] == "notifications/cancelled":
            self.say(202)
        else:
            error = {"code": -32600, "message": "this cannot be read"}
            self.say(Notes.status, {"id": asked["id"] if Notes.tells_id else None, "error": error})


async def call(url):
    if version("mcp").startswith("2."):
        async with mcp.Client(url, mode="legacy") as client:
            return await client.call_tool("recall", {})
    async with streamable_http.streamablehttp_client(url) as (read, write, _):
        async with mcp.ClientSession(read, write) as client:
            await client.initialize()
            return await client.call_tool("recall", {})


async def ends(url):
    try:
        await asyncio.wait_for(call(url), PATIENCE)
    except BaseException as error:
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        return f"waits for {PATIENCE} s and on" if isinstance(error, TimeoutError) else type(error).__name__
    return "a result"


server = ThreadingHTTPServer(("127.0.0.1", 0), Notes)
server.handle_error = lambda *_: None
threading.Thread(target=server.serve_forever, daemon=True).start()
seen = []
for Notes.status, Notes.tells_id in ((200, True), (200, False), (400, False)):
    seen.append(asyncio.run(ends(f"http://127.0.0.1:{server.server_port}/mcp")))
print(f"mcp {version('mcp')}: under its id: {seen[0]}; without an id: {seen[1]}; the same with status 400: {seen[2]}")
sys.exit(0 if [wait.startswith("waits") for wait in seen] == [False, True, False] else 1)
PY

for version in 2.3.0 1.30.0; do
    "$folder/$version/bin/python" -W ignore "$folder/observe.py" 2>"$folder/log" || { cat "$folder/log"; exit 1; }
done
