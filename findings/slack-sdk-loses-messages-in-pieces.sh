#!/usr/bin/env bash
# slack_sdk (PyPI) speaks Socket Mode with a WebSocket client of its own (`slack_sdk.socket_mode`), or with that of
# another package.
#
# Expected: a message that comes in several frames (RFC 6455, 5.4: a proxy may cut and join them) is one message.
# Observed: with the client of its own the first piece is taken for the whole, which is no JSON, and each further one
# for a frame of an unknown kind; both are logged, nothing is handed on and nothing acknowledged. The same class over
# websocket-client hands the message on. In one frame, a long message is fine.
set -euo pipefail

version=3.48.0
client=1.9.2
server=17.4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --no-compile --disable-pip-version-check \
    "slack_sdk==$version" "websocket-client==$client" "websockets==$server"

"$folder/venv/bin/python" - <<'PY'
import json
import logging
import sys
import threading
from importlib.metadata import version

from slack_sdk.socket_mode.builtin import SocketModeClient as OwnClient
from slack_sdk.socket_mode.response import SocketModeResponse
from slack_sdk.socket_mode.websocket_client import SocketModeClient as OtherClient
from websockets.sync.server import serve

logging.disable(logging.CRITICAL)


def envelope(name, text):
    event = {"type": "message", "channel": "D1", "user": "U1", "text": text, "ts": "1764460800.000100"}
    body = {"envelope_id": name, "type": "events_api", "accepts_response_payload": False, "payload": {"event": event}}
    return json.dumps(body)


SENT = ["whole", "in pieces", "long", "last"]


def answer(socket):
    """Sends four messages as Slack does, the second in three frames."""
    pieces = envelope("in pieces", "Shall we meet at nine?")
    socket.send(json.dumps({"type": "hello", "num_connections": 1}))
    socket.send(envelope("whole", "Good morning"))
    socket.send([pieces[:40], pieces[40:90], pieces[90:]])
    socket.send(envelope("long", "word " * 20_000))
    socket.send(envelope("last", "Good night"))
    for _ in socket:  # the acknowledgements, until the client leaves
        pass


def heard(kind):
    names, last = [], threading.Event()

    def listen(client, request):
        names.append(request.envelope_id)
        client.send_socket_mode_response(SocketModeResponse(envelope_id=request.envelope_id))
        if request.envelope_id == "last":
            last.set()

    with serve(answer, "127.0.0.1", 0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        client = kind(app_token="xapp-1-none", auto_reconnect_enabled=False, concurrency=1)
        client.wss_uri = f"ws://127.0.0.1:{server.socket.getsockname()[1]}/"
        client.socket_mode_request_listeners.append(listen)
        client.connect()
        last.wait(20)
        client.close()
        server.shutdown()
    return names


packages = ("slack_sdk", "websocket-client", "websockets")
print(", ".join(f"{name} {version(name)}" for name in packages))
changed = False
for name, kind, known in [
    ("its own client", OwnClient, ["whole", "long", "last"]),
    ("websocket-client", OtherClient, SENT),
]:
    observed = heard(kind)
    print(f"{name}: expected {SENT}, observed {observed}")
    changed |= observed != known
sys.exit(1 if changed else 0)
PY
