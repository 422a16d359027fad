#!/usr/bin/env bash
# htmldate (PyPI) finds the date of a web page; trafilatura (PyPI), which extracts the text, takes its date from it.
#
# Expected: a page that shows 2025年11月5日 and nothing else is of that day, or has no date.
# Observed: it is of 1 January 2025: the year is taken, month and day are not, and nothing tells that they were made up.
# The same day with slashes, with spaces between its parts, or in Korean is found.
set -euo pipefail

version=1.11.0
trafilatura=2.3.1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --no-compile --disable-pip-version-check \
    "htmldate==$version" "trafilatura==$trafilatura" "lxml_html_clean==0.4.5"

"$folder/venv/bin/python" - <<'PY'
import sys
from importlib.metadata import version

import trafilatura
from htmldate import find_date

print("htmldate", version("htmldate"), "and trafilatura", version("trafilatura"))
notice = "<p>" + "工事のため、図書室は休みます。" * 30 + "</p>"


def page(day):
    return (
        '<!doctype html><html lang="ja"><head><meta charset="utf-8"><title>お知らせ</title></head>'
        f'<body><article><h1>お知らせ</h1><p class="date">{day}</p>{notice}</article></body></html>'
    )


changed = False
# What the page shows, what day that is, what was found when this was written.
for shown, expected, known in [
    ("2025/11/5", "2025-11-05", "2025-11-05"),  # a control
    ("2025年 11月 5日", "2025-11-05", "2025-11-05"),  # a control
    ("2025년 11월 5일", "2025-11-05", "2025-11-05"),  # a control
    ("2025年11月5日", "2025-11-05", "2025-01-01"),
    ("公開日：2025年11月5日(水)", "2025-11-05", "2025-01-01"),
    ("2025年12月31日", "2025-12-31", "2025-01-01"),
]:
    observed = find_date(page(shown))
    text = trafilatura.bare_extraction(page(shown), with_metadata=True)
    print(f"{shown}: expected {expected}, observed {observed}, and {text.date} in trafilatura")
    changed |= observed != known or text.date != known
sys.exit(1 if changed else 0)
PY
