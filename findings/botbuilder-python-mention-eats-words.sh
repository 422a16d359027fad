#!/usr/bin/env bash
# botbuilder-core (PyPI, Microsoft's SDK for bots in Teams) takes the mention of the bot out of what somebody wrote to it:
# `TurnContext.remove_recipient_mention`.
#
# Expected: the mention is taken out, `<at>Mao</at>`, and the rest stays, as in the SDK that follows this one
# (microsoft-agents-activity).
# Observed: the name is taken out wherever its letters stand, in the question itself and in the middle of other words: a
# bot that is called Ai turns "Aiko" into "ko", one that is called まお turns まおみ into み.
set -euo pipefail

version=4.17.1
following=1.9.0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --no-compile --disable-pip-version-check \
    "botbuilder-core==$version" "microsoft-agents-activity==$following" aiohttp

"$folder/venv/bin/python" -W ignore - <<'PY'
import sys
from importlib.metadata import version

from botbuilder.core import TurnContext
from botbuilder.schema import Activity
from microsoft_agents.activity import Activity as FollowingActivity

print("botbuilder-core", version("botbuilder-core"), "beside microsoft-agents-activity",
      version("microsoft-agents-activity"))


def message(name, words):
    """What Teams sends when somebody writes `words` behind a mention of the bot."""
    bot = {"id": "28:bot", "name": name}
    mention = f"<at>{name}</at>"
    return {"type": "message", "text": f"{mention} {words}", "recipient": bot,
            "entities": [{"type": "mention", "text": mention, "mentioned": bot}]}


changed = False
for name, words, known in [
    ("Mao", "what did Mao say of it?", "what did  say of it?"),
    ("Ai", "when does Aiko come back?", "when does ko come back?"),
    ("まお", "まおみさんの誕生日は？", "みさんの誕生日は？"),
    # A control.
    ("Mao", "when does Aiko come back?", "when does Aiko come back?"),
]:
    sent = message(name, words)
    observed = TurnContext.remove_recipient_mention(Activity().deserialize(sent)).strip()
    beside = FollowingActivity(**sent).remove_recipient_mention()
    print(f"{name}: expected {words!r}, observed {observed!r}, in the following SDK {beside!r}")
    changed |= observed != known or beside != words
sys.exit(1 if changed else 0)
PY
