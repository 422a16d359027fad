"""What is right, and the same wrong in one way each: with it models.py shows that it can fail."""

import copy


def plain(text):
    return {"type": "plain_text", "text": text}


def marked(text):
    return {"type": "mrkdwn", "text": text, "verbatim": True}


def button(name, **more):
    return {"type": "button", "action_id": name, "value": "1", "text": plain("Next"), **more}


CONFIRM = {"title": plain("Forget?"), "text": plain("It goes."), "confirm": plain("Yes"), "deny": plain("No")}
OPTIONS = [{"text": plain("One"), "value": "1"}]
IMAGE = {"type": "image", "image_url": "https://x.example/a.png", "alt_text": "a kiln"}
BLOCKS = [
    {"type": "header", "text": plain("Memory")},
    {"type": "section", "text": marked("*kiln*"), "accessory": {"type": "overflow", "action_id": "o", "options": OPTIONS}},
    {"type": "section", "fields": [marked("a"), marked("b")]},
    {"type": "context", "elements": [marked("today"), IMAGE]},
    {"type": "divider"},
    {"type": "actions", "block_id": "b1", "elements": [button("one", confirm=CONFIRM, style="danger"), button("two")]},
]
FIELD = {"type": "plain_text_input", "action_id": "words", "multiline": True, "max_length": 3000, "initial_value": "x"}
INPUT = {"type": "input", "block_id": "words", "label": plain("Words"), "element": FIELD}
MODAL = {
    "type": "modal",
    "title": plain("Remember"),
    "close": plain("Close"),
    "submit": plain("Keep"),
    "callback_id": "remember/1",
    "private_metadata": "C1/1.2",
    "external_id": "ours/1",
    "blocks": [*BLOCKS, INPUT],
}
GOOD = {
    "home": {"method": "views.publish", "view": {"type": "home", "blocks": BLOCKS}},
    "modal": {"method": "views.open", "view": MODAL},
    "changed modal": {"method": "views.update", "view": MODAL},
    "modal in place of another": {"method": "acknowledgement", "view": MODAL},
    "message": {"method": "response_url", "blocks": [*BLOCKS, {"type": "markdown", "text": "**kiln**"}, IMAGE]},
    "message without blocks": {"method": "chat.update", "blocks": []},
}


def blocks_of(kept):
    return kept["view"]["blocks"] if "view" in kept else kept["blocks"]


def changes_of_blocks():
    """Changes of the blocks that all of them have, and a part of what has to be said of each."""
    header, section, fields, context, _, actions = range(6)

    def of(number, change):
        return lambda blocks: change(blocks[number])

    def element(change):
        return of(actions, lambda block: change(block["elements"][0]))

    yield "the models refuse it", of(section, lambda block: block.pop("text"))
    yield "the models refuse it", of(section, lambda block: block["text"].update(text="x" * 3_001))
    yield "the models refuse it", of(section, lambda block: block["accessory"].update(options=OPTIONS * 6))
    yield "the models refuse it", of(actions, lambda block: block.pop("elements"))
    yield "the models do not know this", of(header, lambda block: block.update(colour="red"))
    yield "unexpected keyword argument", of(section, lambda block: block["text"].update(verbatum=True))
    yield "the models do not know this", element(lambda button: button.update(on_click="x"))
    yield "unexpected keyword argument", element(lambda button: button["confirm"].update(ask="twice"))
    yield "is not listed", of(header, lambda block: block.update(type="heading"))
    yield "is not listed", element(lambda button: button.update(type="knob"))
    yield "1 to 150 characters", of(header, lambda block: block["text"].update(text="x" * 151))
    yield "1 to 150 characters", of(header, lambda block: block["text"].update(text=""))
    yield "only plain_text", of(header, lambda block: block.update(text=marked("x")))
    yield "1 to 3000 characters", of(section, lambda block: block["text"].update(text="あ" * 3_001))
    yield "1 to 5 are taken", of(section, lambda block: block["accessory"].update(options=OPTIONS * 6))
    yield "1 to 75 characters", of(section, lambda b: b["accessory"]["options"][0].update(text=plain("x" * 76)))
    yield "1 to 150 characters", of(section, lambda b: b["accessory"]["options"][0].update(value="x" * 151))
    yield "1 to 10 are taken", of(fields, lambda block: block.update(fields=[marked("x")] * 11))
    yield "1 to 2000 characters", of(fields, lambda block: block["fields"][0].update(text="x" * 2_001))
    yield "1 to 10 are taken", of(context, lambda block: block.update(elements=[marked("x")] * 11))
    yield "1 to 2000 characters", of(context, lambda block: block["elements"][1].update(alt_text="x" * 2_001))
    yield "/alt_text: is missing", of(context, lambda block: block["elements"][1].pop("alt_text"))
    yield "1 to 25 are taken", of(actions, lambda b: b.update(elements=[button(f"n{n}") for n in range(26)]))
    yield "1 to 25 are taken", of(actions, lambda block: block.update(elements=[]))
    yield "two elements have the action_id", element(lambda button: button.update(action_id="two"))
    yield "1 to 255 characters", element(lambda button: button.update(action_id="x" * 256))
    yield "1 to 255 characters", of(actions, lambda block: block.update(block_id="x" * 256))
    yield "1 to 75 characters", element(lambda button: button["text"].update(text="x" * 76))
    yield "1 to 2000 characters", element(lambda button: button.update(value="x" * 2_001))
    yield "/style: is none", element(lambda button: button.update(style="loud"))
    yield "1 to 100 characters", element(lambda button: button["confirm"]["title"].update(text="x" * 101))
    yield "1 to 300 characters", element(lambda button: button["confirm"]["text"].update(text="x" * 301))
    yield "1 to 30 characters", element(lambda button: button["confirm"]["deny"].update(text="x" * 31))
    yield "/deny: is missing", element(lambda button: button["confirm"].pop("deny"))
    yield "confirm/style: is none", element(lambda button: button["confirm"].update(style="loud"))
    yield "two blocks have the block_id", of(header, lambda block: block.update(block_id="b1"))
    yield "blocks, at most", lambda blocks: blocks.extend({"type": "divider"} for _ in range(100))


def changes_of_view():
    yield "/type: 'window' is no view", lambda view: view.update(type="window")
    yield "/blocks: there are none", lambda view: view.update(blocks=[])
    yield "the models refuse it", lambda view: view.update(private_metadata="x" * 3_001)
    yield "1 to 3000 characters", lambda view: view.update(private_metadata="あ" * 3_001)
    yield "1 to 255 characters", lambda view: view.update(callback_id="x" * 256)
    yield "1 to 255 characters", lambda view: view.update(external_id="x" * 256)
    yield "the models do not know this", lambda view: view.update(subtitle=plain("x"))
    yield "has no such field", lambda view: view.update(subtitle=plain("x"))
    large = [{"type": "section", "text": marked("あ" * 3_000)} for _ in range(30)]
    yield "bytes, at most 250000", lambda view: view.update(blocks=large)


def changes_of_home():
    yield "the models refuse it", lambda view: view.update(submit=plain("Keep"))
    yield "/submit: a home has no such field", lambda view: view.update(submit=plain("Keep"))
    yield "/notify_on_close: a home has no such field", lambda view: view.update(notify_on_close=True)
    yield "no block 'input' is taken in a home", lambda view: view["blocks"].append(INPUT)


def changes_of_modal():
    def field(change):
        return lambda view: change(view["blocks"][-1]["element"])

    yield "the models refuse it", lambda view: view["title"].update(text="x" * 25)
    yield "1 to 24 characters", lambda view: view["title"].update(text="x" * 25)
    yield "1 to 24 characters", lambda view: view["close"].update(text="x" * 25)
    yield "/title: is missing", lambda view: view.pop("title")
    yield "/submit: is missing", lambda view: view.pop("submit")
    yield "1 to 2000 characters", lambda view: view["blocks"][-1]["label"].update(text="x" * 2_001)
    yield "1 to 3000 characters", field(lambda element: element.update(initial_value="x" * 3_001))
    yield "/max_length: is not between", field(lambda element: element.update(max_length=3_001))
    yield "/action_id: is missing", field(lambda element: element.pop("action_id"))
    yield "no element 'button' is taken here", lambda view: view["blocks"][-1].update(element=button("x"))
    yield "no block 'markdown' is taken", lambda view: view["blocks"].append({"type": "markdown", "text": "x"})


def changes_of_message():
    yield "1 to 12000 characters", lambda blocks: blocks[-2].update(text="x" * 12_001)
    yield "1 to 3000 characters", lambda blocks: blocks[-1].update(image_url="x" * 3_001)
    yield "no block 'input' is taken in a message", lambda blocks: blocks.append(INPUT)


def all_wrong():
    """Each wrong one: what it is, a part of what has to be said of it, and itself."""
    for name, good in GOOD.items():
        if not blocks_of(good):
            continue
        changes = [(words, blocks_of, change) for words, change in changes_of_blocks()]
        if "view" in good:
            of_kind = changes_of_home if good["view"]["type"] == "home" else changes_of_modal
            changes += [(w, lambda kept: kept["view"], c) for change in (changes_of_view, of_kind) for w, c in change()]
        else:
            changes += [(words, blocks_of, change) for words, change in changes_of_message()]
        for words, part, change in changes:
            wrong = copy.deepcopy(good)
            change(part(wrong))
            yield name, words, wrong


def excused():
    """What the models do not know, and what holds it, right but for that."""
    for inside, name, number in (("header", "colour", 0), ("mrkdwn", "verbatum", 1), ("confirm", "ask", 5)):
        kept = copy.deepcopy(GOOD["message"])
        block = kept["blocks"][number]
        pieces = {"header": block, "mrkdwn": block.get("text"), "confirm": block.get("elements", [{}])[0].get("confirm")}
        pieces[inside][name] = "x"
        yield {(inside, name): "a reason"}, kept
