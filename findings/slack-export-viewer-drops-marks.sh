#!/usr/bin/env bash
# slack-export-viewer (PyPI) shows an export of a Slack workspace as pages.
#
# Expected: a labelled link shows its label and leads to its address; mentions of channels and groups, and dates, show
# the text that Slack writes behind the "|" for readers that cannot look them up.
# Observed: a link whose address holds one of & % + ~ is shown as "address|label", and not at all if its label has
# several words; a channel named in Japanese stands there as <#C3|雑談>; group mentions and dates are put on the page as
# tags of HTML, which browsers do not show.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
# 4.0.0 is the newest and needs Python 3.12; 3.5.0 is the newest for an older one and does the same.
version=$("$folder/venv/bin/python" -c 'import sys; print("4.0.0" if sys.version_info >= (3, 12) else "3.5.0")')
"$folder/venv/bin/pip" install --quiet --no-compile --disable-pip-version-check "slack-export-viewer==$version"
echo "slack-export-viewer $version"
cd "$folder"

cat > probe.py <<'PY'
import json
import pathlib
import subprocess
import sys
from html.parser import HTMLParser

# What is written in the export, what a reader should see, what was seen when this was written.
CASES = [
    ("a <https://example.com/x|plain link>", "a plain link", "a plain link"),  # a control
    ("a <https://example.com/?q=1&amp;r=2|busy link>", "a busy link", "a"),
    ("a <https://example.com/100%25|link>", "a link", "a https://example.com/100%25|link"),
    ("in <#C2|random> and <#C3|雑談>", "in #random and #雑談", "in #random and <#C3|雑談>"),
    ("ask <!subteam^S1|@support> now", "ask @support now", "ask now"),
    ("due <!date^1732680000^{date_num}|2024-11-27> sharp", "due 2024-11-27 sharp", "due sharp"),
]

export = pathlib.Path("export/general")
export.mkdir(parents=True)
names = {"C1": "general", "C2": "random", "C3": "雑談"}
channels = [{"id": id, "name": name, "members": ["U1"]} for id, name in names.items()]
people = [{"id": "U1", "name": "taro", "profile": {"real_name": "Taro", "display_name": "", "image_72": ""}}]
messages = [
    {"type": "message", "user": "U1", "text": text, "ts": f"173268000{nth}.000100"}
    for nth, (text, _, _) in enumerate(CASES)
]
(export.parent / "channels.json").write_text(json.dumps(channels))
(export.parent / "users.json").write_text(json.dumps(people))
(export / "2024-11-27.json").write_text(json.dumps(messages))
viewer = ["venv/bin/slack-export-viewer", "-z", "export", "--html-only", "-o", "pages"]
subprocess.run(viewer, check=True, capture_output=True)


class Seen(HTMLParser):
    """The words of each paragraph of a message."""

    def __init__(self):
        super().__init__()
        self.paragraphs, self.open = [], False

    def handle_starttag(self, tag, _):
        if tag == "p":
            self.open = True
            self.paragraphs.append("")

    def handle_endtag(self, tag):
        self.open &= tag != "p"

    def handle_data(self, text):
        if self.open:
            self.paragraphs[-1] += text


seen = Seen()
seen.feed(pathlib.Path("pages/channel/general/index.html").read_text())
changed = len(seen.paragraphs) != len(CASES)
for (written, expected, known), words in zip(CASES, seen.paragraphs):
    observed = " ".join(words.split())
    print(f"{written}: expected {expected!r}, observed {observed!r}")
    changed |= observed != known
sys.exit(1 if changed else 0)
PY
"$folder/venv/bin/python" probe.py
