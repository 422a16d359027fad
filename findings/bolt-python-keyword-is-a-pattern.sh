#!/usr/bin/env bash
# slack_bolt (PyPI) and @slack/bolt (npm) are Slack's own frameworks. Both have app.message("words", listener), for
# messages that hold the words; both take a compiled pattern as well.
#
# Expected: text is text and a pattern is a pattern, as in the JavaScript edition.
# Observed: the Python edition takes the text for a regular expression. "[緊急]" ("urgent", in brackets) answers 緊張する
# ("to be nervous"), "本当?" ("really?") answers 本 ("book"), and ":)" is taken at registration but never answers.
set -euo pipefail

python_version=1.30.0
node_version=5.1.0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --no-compile --disable-pip-version-check "slack_bolt==$python_version" "slack_sdk==3.48.0"
cd "$folder"
npm install --silent --no-audit --no-fund "@slack/bolt@$node_version" >&2

cat > cases.json <<'JSON'
[
  {"words": "hello", "messages": ["say hello", "bye"]},
  {"words": "[緊急]", "messages": ["緊張する", "[緊急] 停止"]},
  {"words": "本当?", "messages": ["本", "本当?"]},
  {"words": ":)", "messages": ["thanks :)"]}
]
JSON

cat > probe.py <<'PY'
import json
import logging

from slack_bolt import App
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.request import BoltRequest

logging.disable(logging.CRITICAL)  # ":)" is an error in the log for each message


def authorize(**_):
    return AuthorizeResult(enterprise_id=None, team_id="T1", bot_user_id="UBOT", bot_id="B1", bot_token="none")


def answered(words, messages):
    app = App(signing_secret="none", authorize=authorize, request_verification_enabled=False, process_before_response=True)
    found = []
    app.message(words)(lambda message: found.append(message["text"]))
    for text in messages:
        event = {"type": "message", "channel": "C1", "user": "U1", "text": text, "ts": "1.1"}
        body = {"type": "event_callback", "team_id": "T1", "api_app_id": "A1", "event_id": "Ev1", "event": event}
        app.dispatch(BoltRequest(body=json.dumps(body), headers={"content-type": ["application/json"]}))
    return found


print(json.dumps([answered(**case) for case in json.load(open("cases.json"))], ensure_ascii=False))
PY

cat > probe.mjs <<'JS'
import { readFileSync } from 'node:fs';
import bolt from '@slack/bolt';

async function answered({ words, messages }) {
  const receiver = { init() {}, start() {}, stop() {} };
  const authorize = async () => ({ botToken: 'none', botId: 'B1', botUserId: 'UBOT' });
  const app = new bolt.App({ receiver, authorize, logLevel: bolt.LogLevel.ERROR });
  const found = [];
  app.message(words, async ({ message }) => { found.push(message.text); });
  for (const text of messages) {
    const event = { type: 'message', channel: 'C1', user: 'U1', text, ts: '1.1' };
    const body = { type: 'event_callback', team_id: 'T1', api_app_id: 'A1', event_id: 'Ev1', event };
    await app.processEvent({ ack: async () => {}, body });
  }
  return found;
}

const found = [];
for (const each of JSON.parse(readFileSync('cases.json', 'utf8'))) found.push(await answered(each));
console.log(JSON.stringify(found));
JS

in_python=$("$folder/venv/bin/python" probe.py)
in_javascript=$(node probe.mjs)
as_text='[["say hello"],["[緊急] 停止"],["本当?"],["thanks :)"]]'
as_pattern='[["say hello"], ["緊張する", "[緊急] 停止"], ["本", "本当?"], []]'
echo "words:    hello, [緊急], 本当?, :)"
echo "expected: $as_text"
echo "@slack/bolt $node_version observed: $in_javascript"
echo "slack_bolt $python_version observed: $in_python"
[[ $in_javascript == "$as_text" && $in_python == "$as_pattern" ]]
