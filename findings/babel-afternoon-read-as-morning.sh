#!/usr/bin/env bash
# Babel (PyPI) writes times in the manner of a locale (`format_time`) and reads them (`parse_time`).
#
# Expected: what `format_time` wrote for a locale, `parse_time` reads back for the same locale.
# Observed: of all marks for the afternoon only the English "pm" is looked for. Korean and Taiwanese times, which Babel
# itself writes with their own mark, and Japanese ones that people write (午後3:30) come back twelve hours early.
set -euo pipefail

version=2.19.0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --no-compile --disable-pip-version-check "babel==$version"

"$folder/venv/bin/python" - <<'PY'
import datetime
import sys

import babel
from babel.dates import format_time, parse_time

print("Babel", babel.__version__)
half_past_three = datetime.time(15, 30)
early = datetime.time(3, 30)

written = [(locale, format_time(half_past_three, locale=locale)) for locale in ("en_US", "ko_KR", "zh_TW")]
written.append(("ja_JP", format_time(half_past_three, "ah:mm", locale="ja_JP")))
changed = False
for locale, text in written:
    read = parse_time(text, locale=locale)
    print(f"{locale}: {text!r} expected {half_past_three}, observed {read}")
    # English is the control.
    changed |= read != (half_past_three if locale == "en_US" else early)
sys.exit(1 if changed else 0)
PY
