#!/usr/bin/env bash
# ollama (PyPI) is the client of Ollama for Python. A streamed answer is one JSON object a line, lines ending in \n.
#
# Expected: U+2028 and U+0085 (next line) inside a JSON string are characters like any other; JSON allows them as they
# are.
# Observed: the client cuts lines where `str.splitlines` would, so the object is torn in two and a JSONDecodeError ends
# the answer. Without streaming the same answer is read. (Servers written in Go escape U+2028 and U+2029, but not
# U+0085.)
set -euo pipefail

version=0.6.3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
# httpx is what cuts the lines.
"$folder/venv/bin/pip" install --quiet --no-compile --disable-pip-version-check "ollama==$version" "httpx==0.28.1"

"$folder/venv/bin/python" - <<'PY'
import http.server
import json
import sys
import threading
from importlib.metadata import version

import ollama

print("ollama", version("ollama"), "httpx", version("httpx"))
WORDS = ""  # what the model says next


class Server(http.server.BaseHTTPRequestHandler):
    """Answers /api/chat with WORDS, in one piece or as a stream of two lines."""

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        common = {"model": "m", "created_at": "2026-11-27T00:00:00Z"}
        answer = {**common, "message": {"role": "assistant", "content": WORDS}, "done": not asked["stream"]}
        lines = [answer]
        if asked["stream"]:
            lines.append({**common, "message": {"role": "assistant", "content": ""}, "done": True})
        body = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()
        self.send_response(200)
        self.send_header("content-type", "application/x-ndjson")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
client = ollama.Client(host=f"http://127.0.0.1:{server.server_port}")
question = [{"role": "user", "content": "?"}]


def streamed():
    try:
        return "".join(part.message.content for part in client.chat("m", question, stream=True))
    except json.JSONDecodeError as error:
        return f"JSONDecodeError: {error}"


changed = False
for name, character in (("a space", " "), ("U+2028", "\u2028"), ("U+0085", "\u0085")):
    WORDS = f"first{character}second"
    whole = client.chat("m", question).message.content
    stream = streamed()
    print(f"{name}: expected {WORDS!r}, without streaming {whole!r}, streaming {stream!r}")
    changed |= whole != WORDS
    changed |= (stream == WORDS) != (character == " ")
sys.exit(1 if changed else 0)
PY
