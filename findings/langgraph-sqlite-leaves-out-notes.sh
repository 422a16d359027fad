#!/usr/bin/env bash
# langgraph-checkpoint-sqlite (PyPI) keeps the long-term memory of agents that are built with LangGraph in SQLite:
# `SqliteStore`, with the same interface as the `InMemoryStore` that one begins with.
#
# Expected: "status is not done" (`$ne`) finds what is open, and what has no status, as it does in the `InMemoryStore`.
# Observed: what has no status, or None, is left out. The comparison is SQL's, in which nothing is unequal to what is
# missing. With `$eq`, and with plain values, both stores find the same.
set -euo pipefail

version=3.1.2
core=4.3.2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --no-compile --disable-pip-version-check \
    "langgraph-checkpoint-sqlite==$version" "langgraph-checkpoint==$core"

"$folder/venv/bin/python" - <<'PY'
import sys
from importlib.metadata import version

from langgraph.store.memory import InMemoryStore
from langgraph.store.sqlite import SqliteStore

for name in ("langgraph-checkpoint-sqlite", "langgraph-checkpoint"):
    print(name, version(name))

NOTES = {
    "rent": {"text": "pay the rent", "status": "done"},
    "tickets": {"text": "buy tickets", "status": "open"},
    "cat": {"text": "the cat likes fish"},
    "birthday": {"text": "the birthday is in May", "status": None},
}
changed = False
memory = InMemoryStore()
with SqliteStore.from_conn_string(":memory:") as sqlite:
    sqlite.setup()
    for store in (memory, sqlite):
        for key, value in NOTES.items():
            store.put(("notes", "aya"), key, value)
    for condition, expected, known in [
        # Controls.
        ({"status": "done"}, ["rent"], ["rent"]),
        ({"status": {"$eq": "open"}}, ["tickets"], ["tickets"]),
        ({"status": {"$ne": "done"}}, ["birthday", "cat", "tickets"], ["tickets"]),
    ]:
        found = [sorted(item.key for item in store.search(("notes", "aya"), filter=condition))
                 for store in (memory, sqlite)]
        print(f"{condition}: expected {found[0]}, as in the InMemoryStore, observed {found[1]}")
        changed |= found != [expected, known]
sys.exit(1 if changed else 0)
PY
