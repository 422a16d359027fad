#!/usr/bin/env bash
# mail-parser-reply (PyPI) splits a mail into the newest reply and the older ones that follow it, in thirteen languages.
#
# Expected: with Japanese it knows the Japanese headers that Outlook writes above the mail that is answered (差出人,
# 送信日時, 宛先, 件名), as with Korean and German it knows those.
# Observed: of headers it knows only the English ones, so that a reply from a Japanese Outlook is taken to be the reply and
# everything below. What mail programs write in one line (2026年11月30日(月) 15:30 佐藤 …:) is known.
set -euo pipefail

version=1.36
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --no-compile --disable-pip-version-check "mail-parser-reply==$version"

"$folder/venv/bin/python" - <<'PY'
import sys
from importlib.metadata import version

from mailparser_reply import EmailReplyParser

print("mail-parser-reply", version("mail-parser-reply"))
japanese = """了解です。

差出人: 佐藤 花子 <hanako@example.com>
送信日時: 2026年11月30日 15:30
宛先: 鈴木 一郎 <ichiro@example.com>
件名: 明日

会議は10時です。
"""
in_one_line = """了解です。

2026年11月30日(月) 15:30 佐藤 花子 <hanako@example.com>:

> 会議は10時です。
"""
german = """Alles klar.

Von: Hanako Sato <hanako@example.com>
Gesendet: Montag, 30. November 2026 15:30
An: Ichiro Suzuki <ichiro@example.com>
Betreff: Morgen

Wir treffen uns um 10.
"""
changed = False
for language, text, expected, known in [
    ("ja", japanese, "了解です。", japanese.strip()),
    # Controls.
    ("ja", in_one_line, "了解です。", "了解です。"),
    ("de", german, "Alles klar.", "Alles klar."),
]:
    observed = EmailReplyParser(languages=[language]).parse_reply(text=text)
    print(f"{language}: expected {expected!r}, observed {observed!r}")
    changed |= observed != known
sys.exit(1 if changed else 0)
PY
