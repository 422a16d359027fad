#!/usr/bin/env bash
# google-genai (PyPI) is Google's client for Gemini. Streamed answers are server-sent events.
#
# Expected: lines that begin with a colon are comments, which every reader of server-sent events ignores. Gateways and
# proxies send them so that a connection stays open while the model thinks.
# Observed: one comment line before the first chunk, and the answer is refused with UnknownApiResponseError.
set -euo pipefail

version=3.6.1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --no-compile --disable-pip-version-check "google-genai==$version"

"$folder/venv/bin/python" - <<'PY'
import http.server
import json
import sys
import threading

import google.genai
from google.genai import errors, types

print("google-genai", google.genai.__version__)
BODY = b""


class Server(http.server.BaseHTTPRequestHandler):
    """Answers everything with BODY."""

    def do_POST(self):
        self.rfile.read(int(self.headers.get("content-length", 0)))
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("content-length", str(len(BODY)))
        self.end_headers()
        self.wfile.write(BODY)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
address = types.HttpOptions(base_url=f"http://127.0.0.1:{server.server_port}")
client = google.genai.Client(api_key="none", http_options=address)


def event(text, **more):
    candidate = {"index": 0, "content": {"role": "model", "parts": [{"text": text}]}, **more}
    return f"data: {json.dumps({'candidates': [candidate]}, ensure_ascii=False)}\r\n\r\n"


def said():
    try:
        chunks = client.models.generate_content_stream(model="m", contents="?")
        return "".join(chunk.text or "" for chunk in chunks)
    except errors.UnknownApiResponseError as error:
        return f"UnknownApiResponseError: {str(error)[:60]!r}"


answer = event("Good ") + event("morning", finishReason="STOP")
BODY = answer.encode()
plain = said()
BODY = (": keep-alive\r\n\r\n" + answer).encode()
commented = said()
print(f"without a comment: expected 'Good morning', observed {plain!r}")
print(f"with a comment:    expected 'Good morning', observed {commented!r}")
known = plain == "Good morning" and commented.startswith("UnknownApiResponseError")
sys.exit(0 if known else 1)
PY
