"""Asserts what Arize Phoenix at the address given received of a question that was answered."""

import json
import sys
import urllib.request

WAY = {
    "arrival": None,
    "store": "arrival",
    "reply": "arrival",
    "invoke_agent": "reply",
    "gather": "invoke_agent",
    "compose": "invoke_agent",
    "chat builtin": "invoke_agent",
    "post": "reply",
}
WORD = "Pfingstrose"


def main(address: str) -> None:
    with urllib.request.urlopen(f"{address}/v1/projects/default/spans?limit=1000") as answer:
        text = answer.read().decode()
    spans = json.loads(text)["data"]
    by_id = {span["context"]["span_id"]: span for span in spans}
    trace = next(span["context"]["trace_id"] for span in spans if span["name"] == "post")
    way = [span for span in spans if span["context"]["trace_id"] == trace]
    for name, parent in WAY.items():
        own = [span for span in way if span["name"] == name]
        assert own, f"{name} is not there: {[span['name'] for span in way]}"
        parents = {by_id[span["parent_id"]]["name"] if span["parent_id"] else None for span in own}
        assert parent in parents, f"{name} belongs to {parents}, not to {parent}"
    chat = next(span for span in way if span["name"] == "chat builtin")
    attributes = chat["attributes"]
    assert attributes["gen_ai.operation.name"] == "chat", attributes
    assert attributes["gen_ai.provider.name"] == "builtin", attributes
    assert attributes["gen_ai.usage.output_tokens"] > 0, attributes
    assert WORD not in text and "alice" not in text and "general" not in text, "words were told"
    names = sorted(span["name"] for span in way)
    print(f"{len(spans)} spans, of these {len(way)} of the question's trace: {', '.join(names)}")
    print(json.dumps(attributes, indent=2))


if __name__ == "__main__":
    main(sys.argv[1])
