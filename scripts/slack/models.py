#!/usr/bin/env python3
"""Has Slack's own models (slack_sdk of PyPI) look at each view and each list of blocks that the program sends.

    pip install slack_sdk && scripts/slack/models.py FOLDER
    scripts/slack/models.py --self-test

FOLDER has what the fake Slack of crates/myao-testkit kept of the tests, where MYAO_KEEP_BLOCKS named it: one JSON object
in each file, with its method and its view or blocks. Each is read with the models, which refuse what they know to be
wrong. What they would send has to hold all that we send: a field that they do not know is one that we made up. Limits
that they do not check are measured besides (limits.py).

--self-test looks at what is known to be wrong, and fails where that is not seen.
"""

import argparse
import collections
import json
import logging
import sys
from pathlib import Path

# Beside the scripts nothing is left behind.
sys.dont_write_bytecode = True

import known_faults
import limits

try:
    from slack_sdk.errors import SlackObjectFormationError
    from slack_sdk.models.blocks import Block
    from slack_sdk.models.views import View
    from slack_sdk.version import __version__ as MODELS_VERSION
except ImportError as missing:
    sys.exit(f"{missing.name} is missing: pip install slack_sdk")

# Fields that we send and the models do not know, each with the reason why it is sent all the same, as in
# {("header", "level"): "new in 2027, and slack_sdk 3.48 has not got it"}: the type of what it stands in (its own name,
# where that has no type), and its name. One that is not met any more is told as well.
UNKNOWN_TO_MODELS = {}
# How many different ones of each kind there are at least, and what has to stand in them; a check that looks at nothing
# would find nothing.
FLOORS = {
    "views.publish home": 50,
    "views.open modal": 50,
    "views.update modal": 50,
    "acknowledgement modal": 2,
    "response_url message": 5,
    "header": 50,
    "button": 50,
    "plain_text_input": 5,
}


def kind_of(kept):
    """The method with what is shown by it: home, modal, message, or no blocks, by which they are taken away."""
    if "view" in kept:
        return f"{kept['method']} {kept['view'].get('type')}"
    return f"{kept['method']} {'message' if kept['blocks'] else 'no blocks'}"


def lost_fields(sent, held, at=""):
    """What was sent and is not held by what the models make of it, as JSON pointers. What is empty may be left out."""
    if isinstance(sent, dict) and isinstance(held, dict):
        for name, value in sent.items():
            if name in held:
                yield from lost_fields(value, held[name], f"{at}/{name}")
            elif value not in (None, "", [], {}):
                yield f"{at}/{name}"
    elif isinstance(sent, list) and isinstance(held, list) and len(sent) == len(held):
        for number, (one, other) in enumerate(zip(sent, held)):
            yield from lost_fields(one, other, f"{at}/{number}")
    elif sent != held:
        yield at


def without_unknown(sent, unknown, met, name="?"):
    """What was sent without the fields that are `unknown` to the models; those that are met are added to `met`."""
    if isinstance(sent, list):
        return [without_unknown(one, unknown, met, name) for one in sent]
    if not isinstance(sent, dict):
        return sent
    inside = sent.get("type", name)
    met |= {(inside, key) for key in sent} & unknown.keys()
    kept = {key: value for key, value in sent.items() if (inside, key) not in unknown}
    return {key: without_unknown(value, unknown, met, key) for key, value in kept.items()}


def read_by_models(sent):
    """What the models would send in its place, a view or blocks. `to_dict` raises what they know to be wrong."""
    if isinstance(sent, dict):
        return View(**sent).to_dict()
    # What is no block to them is None.
    return [block and block.to_dict() for block in Block.parse_all(sent)]


def faults_of(kept, unknown, met):
    """What is wrong with one, in words; to `met` those of the fields that are `unknown` to the models are added."""
    sent = kept["view"] if "view" in kept else kept["blocks"]
    known = without_unknown(sent, unknown, met)
    try:
        held = read_by_models(known)
    except (SlackObjectFormationError, TypeError, ValueError, AttributeError, KeyError) as error:
        yield f"the models refuse it: {type(error).__name__}: {error}"
    else:
        yield from (f"{at}: the models do not know this" for at in lost_fields(known, held))
    yield from limits.of_view(sent) if "view" in kept else limits.of_blocks(sent, "message")


def faults_of_counts(counts):
    for kind, floor in FLOORS.items():
        if counts[kind] < floor:
            yield f"{kind}: {counts[kind]} of them, where there are {floor} at least: what the tests send is not kept"


def look_at_folder(folder):
    counts, pieces, met, failed = collections.Counter(), collections.Counter(), set(), False
    for path in sorted(folder.glob("*.json")):
        kept = json.loads(path.read_text(encoding="utf-8"))
        kind = kind_of(kept)
        counts[kind] += 1
        blocks = kept["view"].get("blocks", []) if "view" in kept else kept["blocks"]
        pieces.update(str(piece.get("type")) for block in blocks for piece in [block, *limits.elements_of(block)])
        for fault in faults_of(kept, UNKNOWN_TO_MODELS, met):
            failed = True
            print(f"{path.name}: {fault}")
    rest = [f"{inside}.{name}: is sent no more, take it off the list" for inside, name in UNKNOWN_TO_MODELS.keys() - met]
    for fault in [*faults_of_counts(counts + pieces), *rest]:
        failed = True
        print(fault)
    for kind, count in sorted(counts.items()):
        print(f"{count:6} {kind}")
    told = ", ".join(f"{count} {piece}" for piece, count in sorted(pieces.items()))
    print(f"with {told or 'nothing in them'}, looked at with slack_sdk {MODELS_VERSION}")
    return failed


def test_itself():
    failed = False
    for name, good in known_faults.GOOD.items():
        told = list(faults_of(good, {}, set()))
        if told:
            failed = True
            print(f"{name}: this check refuses what is right: {told}")
    number = 0
    for number, (name, words, wrong) in enumerate(known_faults.all_wrong(), 1):
        told = list(faults_of(wrong, {}, set()))
        if not any(words in fault for fault in told):
            failed = True
            print(f"{name}: this check does not see {words!r}: {told}")
    for unknown, kept in known_faults.excused():
        met = set()
        told = list(faults_of(kept, unknown, met))
        if told or met != unknown.keys():
            failed = True
            print(f"this check does not excuse {unknown}: {told}")
    for kind in FLOORS:
        counts = collections.Counter({**FLOORS, kind: FLOORS[kind] - 1})
        if not any(kind in fault for fault in faults_of_counts(counts)) or list(faults_of_counts(FLOORS)):
            failed = True
            print(f"{kind}: this check does not see that there are too few")
    if not failed:
        print(f"{number} that are wrong are seen, {len(known_faults.GOOD)} that are right are not")
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if (arguments.folder is None) != arguments.self_test:
        parser.error("either FOLDER or --self-test")
    # They warn of what they do not know, and drop it; we see that it is gone.
    logging.disable(logging.WARNING)
    sys.exit(1 if (test_itself() if arguments.self_test else look_at_folder(arguments.folder)) else 0)


if __name__ == "__main__":
    main()
