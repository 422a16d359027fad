"""Slack's limits of views and blocks (docs.slack.dev, "Views", "Blocks", "Block elements"), those too that slack_sdk
does not check. A kind of block or element that is not listed here is a fault: whoever sends it first lists it.

Each function yields faults in words, as a JSON pointer and what is wrong there.
"""

import json

MOST_BYTES_OF_VIEW = 250_000
MOST_BLOCKS = {"message": 50, "modal": 100, "home": 100}
MOST_CHARS_OF_ID = 255
# Fields of a view, with the most characters; they may be empty.
CHARS_OF_VIEW = {"private_metadata": 3_000, "callback_id": 255, "external_id": 255}
FIELDS_OF_VIEW = {
    "home": {"type", "blocks", "private_metadata", "callback_id", "external_id"},
    "modal": {"type", "blocks", "private_metadata", "callback_id", "external_id", "title", "close", "submit"}
    | {"clear_on_close", "notify_on_close", "submit_disabled"},
}
# Texts at the head and foot of a modal.
CHARS_OF_MODAL = {"title": 24, "close": 24, "submit": 24}
# Where a kind of block is taken. What a Home tab takes besides these is told nowhere.
SURFACES = {
    "section": {"message", "modal", "home"},
    "header": {"message", "modal", "home"},
    "divider": {"message", "modal", "home"},
    "context": {"message", "modal", "home"},
    "actions": {"message", "modal", "home"},
    "image": {"message", "modal"},
    "input": {"modal"},
    "markdown": {"message"},
    "context_actions": {"message"},
}
# Text objects in blocks and elements: the most characters, and whether only plain text is taken.
TEXTS = {
    ("section", "text"): (3_000, False),
    ("header", "text"): (150, True),
    ("input", "label"): (2_000, True),
    ("input", "hint"): (2_000, True),
    ("image", "title"): (2_000, True),
    ("button", "text"): (75, True),
    ("feedback_button", "text"): (75, True),
    ("confirm", "title"): (100, True),
    ("confirm", "text"): (300, False),
    ("confirm", "confirm"): (30, True),
    ("confirm", "deny"): (30, True),
    ("option", "text"): (75, False),
    ("option", "description"): (75, True),
    **{(kind, "placeholder"): (150, True) for kind in ("plain_text_input", "static_select")},
}
# Words that are no text objects: the most characters.
WORDS = {
    ("button", "value"): 2_000,
    ("button", "url"): 3_000,
    ("button", "accessibility_label"): 75,
    ("feedback_button", "value"): 2_000,
    ("feedback_button", "accessibility_label"): 75,
    ("image", "image_url"): 3_000,
    ("image", "alt_text"): 2_000,
    ("markdown", "text"): 12_000,
    ("option", "value"): 150,
    ("plain_text_input", "initial_value"): 3_000,
}
# What has to be there.
REQUIRED = {
    "header": ["text"],
    "context": ["elements"],
    "actions": ["elements"],
    "context_actions": ["elements"],
    "feedback_buttons": ["positive_button", "negative_button"],
    "feedback_button": ["text", "value"],
    "image": ["alt_text"],
    "input": ["label", "element"],
    "markdown": ["text"],
    "button": ["text", "action_id"],
    "confirm": ["title", "text", "confirm", "deny"],
    "option": ["text", "value"],
    "overflow": ["options", "action_id"],
    "plain_text_input": ["action_id"],
    "static_select": ["options", "action_id"],
}
# Lists: how many items they have at most. One they have at least.
LISTS = {
    ("actions", "elements"): 25,
    ("context", "elements"): 10,
    ("context_actions", "elements"): 5,
    ("section", "fields"): 10,
    ("overflow", "options"): 5,
    ("static_select", "options"): 100,
}
MOST_CHARS_OF_FIELD = 2_000
MOST_CHARS_OF_CONTEXT = 3_000
ELEMENTS = {
    "actions": {"button", "overflow", "static_select"},
    "context_actions": {"feedback_buttons", "icon_button"},
    "accessory": {"button", "overflow", "static_select", "image"},
    "input": {"plain_text_input", "static_select"},
}
STYLES = {"primary", "danger"}
MOST_OF_INPUT = 3_000


def elements_of(block):
    """The elements of a block, wherever they stand in it."""
    return [*block.get("elements", []), *(block[key] for key in ("accessory", "element") if block.get(key))]


def of_view(view):
    surface = view.get("type")
    if surface not in FIELDS_OF_VIEW:
        yield f"/type: {surface!r} is no view"
        return
    size = len(json.dumps(view, ensure_ascii=False).encode())
    if size > MOST_BYTES_OF_VIEW:
        yield f": {size} bytes, at most {MOST_BYTES_OF_VIEW} are taken"
    for key in sorted(view.keys() - FIELDS_OF_VIEW[surface]):
        yield f"/{key}: a {surface} has no such field"
    for key, most in CHARS_OF_VIEW.items():
        if view.get(key):
            yield from of_words(f"/{key}", view[key], most)
    if surface == "modal":
        if "title" not in view:
            yield "/title: is missing"
        for key, most in CHARS_OF_MODAL.items():
            if key in view:
                yield from of_text(f"/{key}", view[key], most, True)
        if any(block.get("type") == "input" for block in view.get("blocks", [])) and not view.get("submit"):
            yield "/submit: is missing, and there is something to fill in"
    if not view.get("blocks"):
        yield "/blocks: there are none"
    yield from of_blocks(view.get("blocks", []), surface, "/blocks")


def of_blocks(blocks, surface, at=""):
    if len(blocks) > MOST_BLOCKS[surface]:
        yield f"{at}: {len(blocks)} blocks, at most {MOST_BLOCKS[surface]} are taken"
    ids = [block["block_id"] for block in blocks if "block_id" in block]
    for twice in sorted({one for one in ids if ids.count(one) > 1}):
        yield f"{at}: two blocks have the block_id {twice}"
    for number, block in enumerate(blocks):
        yield from of_block(f"{at}/{number}", block, surface)


def of_block(at, block, surface):
    kind = block.get("type")
    if surface not in SURFACES.get(kind, ()):
        yield f"{at}: no block {kind!r} is taken in a {surface}, or it is not listed in limits.py"
        return
    if "block_id" in block:
        yield from of_words(f"{at}/block_id", block["block_id"], MOST_CHARS_OF_ID)
    yield from of_fields(at, block, kind)
    ids = [element["action_id"] for element in elements_of(block) if "action_id" in element]
    for twice in sorted({one for one in ids if ids.count(one) > 1}):
        yield f"{at}: two elements have the action_id {twice}"
    if kind == "section" and not block.get("text") and not block.get("fields"):
        yield f"{at}: it has neither text nor fields"
    for number, field in enumerate(block.get("fields", []) if kind == "section" else []):
        yield from of_text(f"{at}/fields/{number}", field, MOST_CHARS_OF_FIELD, False)
    if kind == "context":
        for number, element in enumerate(block.get("elements", [])):
            if element.get("type") == "image":
                yield from of_fields(f"{at}/elements/{number}", element, "image")
            else:
                yield from of_text(f"{at}/elements/{number}", element, MOST_CHARS_OF_CONTEXT, False)
    if kind in ("actions", "context_actions"):
        for number, element in enumerate(block.get("elements", [])):
            yield from of_element(f"{at}/elements/{number}", element, kind)
    for key, place in (("accessory", "accessory"), ("element", "input")):
        if block.get(key):
            yield from of_element(f"{at}/{key}", block[key], place)


def of_element(at, element, place):
    kind = element.get("type")
    if kind not in ELEMENTS[place]:
        yield f"{at}: no element {kind!r} is taken here, or it is not listed in limits.py"
        return
    if "action_id" in element:
        yield from of_words(f"{at}/action_id", element["action_id"], MOST_CHARS_OF_ID)
    yield from of_fields(at, element, kind)
    for key in ("positive_button", "negative_button"):
        if kind == "feedback_buttons" and element.get(key):
            yield from of_fields(f"{at}/{key}", element[key], "feedback_button")
    if kind == "button" and "style" in element and element["style"] not in STYLES:
        yield f"{at}/style: is none of {', '.join(sorted(STYLES))}"
    if kind == "plain_text_input" and not 1 <= element.get("max_length", 1) <= MOST_OF_INPUT:
        yield f"{at}/max_length: is not between 1 and {MOST_OF_INPUT}"
    if element.get("confirm"):
        yield from of_fields(f"{at}/confirm", element["confirm"], "confirm")
        if element["confirm"].get("style", "danger") not in STYLES:
            yield f"{at}/confirm/style: is none of {', '.join(sorted(STYLES))}"
    for number, option in enumerate(element.get("options", [])):
        yield from of_fields(f"{at}/options/{number}", option, "option")


def of_fields(at, piece, kind):
    """What the tables at the top say of the fields of a block or an element."""
    for key in REQUIRED.get(kind, []):
        if piece.get(key) in (None, "", []):
            yield f"{at}/{key}: is missing"
    for key, value in piece.items():
        if (kind, key) in TEXTS:
            yield from of_text(f"{at}/{key}", value, *TEXTS[kind, key])
        elif (kind, key) in WORDS:
            yield from of_words(f"{at}/{key}", value, WORDS[kind, key])
        elif (kind, key) in LISTS and not 1 <= len(value) <= LISTS[kind, key]:
            yield f"{at}/{key}: {len(value)} items, 1 to {LISTS[kind, key]} are taken"


def of_text(at, text, most, is_plain):
    if not isinstance(text, dict) or text.get("type") not in ("plain_text", "mrkdwn"):
        yield f"{at}: is no text object"
        return
    if is_plain and text["type"] != "plain_text":
        yield f"{at}: only plain_text is taken"
    yield from of_words(f"{at}/text", text.get("text"), most)


def of_words(at, words, most):
    if not isinstance(words, str) or not 1 <= len(words) <= most:
        told = f"{len(words)} characters" if isinstance(words, str) else f"{words!r}"
        yield f"{at}: {told}, 1 to {most} characters are taken"
