#!/usr/bin/env bash
# chatpack (PyPI) reads chats that were exported from WhatsApp, Telegram and others, "into LLM-friendly formats".
#
# Expected: an export of WhatsApp that holds "[13/11/2026" writes the day first, so "[10/11/2026" in it is of November;
# `merge_consecutive` joins what one person says in a row "within 5 minutes"; and what somebody wrote whose account is gone
# (Telegram then exports "from": null) is still there.
# Observed: the month is read first: 10 November becomes 11 October, and the 13th has no time at all, without a word. What
# one person says on Monday and on Saturday is one message of Monday. What the person without an account wrote is dropped.
set -euo pipefail

version=0.1.0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --no-compile --disable-pip-version-check "chatpack==$version"
cd "$folder"

venv/bin/python - <<'PY'
import json
import sys
from datetime import datetime, timezone
from importlib.metadata import version

import chatpack

print("chatpack", version("chatpack"))
changed = False


def compare(name, expected, observed, known):
    global changed
    print(f"{name}\n  expected {expected}\n  observed {observed}")
    changed |= observed != known


def whatsapp(*days):
    with open("chat.txt", "w") as file:
        file.writelines(f"[{day}/11/2026, 15:30:00] Hanako: on the {day}th\n" for day in days)
    return [message.timestamp and message.timestamp[:10] for message in chatpack.parse_whatsapp("chat.txt")]


def telegram(*said, merged=False):
    messages = []
    for number, (name, day, text) in enumerate(said, 1):
        time = datetime(2026, 11, day, 15, 30, tzinfo=timezone.utc)
        messages.append({"id": number, "type": "message", "date": f"{time:%Y-%m-%dT%H:%M:%S}",
                         "date_unixtime": str(int(time.timestamp())), "from": name, "from_id": f"user{len(name or '')}",
                         "text": text, "text_entities": []})
    with open("result.json", "w") as file:
        json.dump({"name": "Choir", "type": "private_group", "id": 1, "messages": messages}, file)
    read = chatpack.parse_telegram("result.json")
    if merged:
        read = chatpack.merge_consecutive(read, 300)
    return [f"{message.timestamp[:10]} {message.sender}: {message.content!r}" for message in read]


compare("days of November", ["2026-11-10", "2026-11-12", "2026-11-13"], whatsapp(10, 12, 13),
        ["2026-10-11", "2026-12-11", None])
monday, saturday = "2026-11-09 Hanako: 'I am ill'", "2026-11-14 Hanako: 'today I am well'"
said = [("Hanako", 9, "I am ill"), ("Hanako", 14, "today I am well")]
compare("merged within 300 seconds", [monday, saturday], telegram(*said, merged=True),
        ["2026-11-09 Hanako: 'I am ill\\ntoday I am well'"])
compare("an account that is gone", 2, len(telegram((None, 9, "I am ill"), said[1])), 1)
# A control.
compare("not merged", [monday, saturday], telegram(*said), [monday, saturday])
sys.exit(1 if changed else 0)
PY
