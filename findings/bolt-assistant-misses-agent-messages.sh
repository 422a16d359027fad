#!/usr/bin/env bash
# slack_bolt (PyPI) and @slack/bolt (npm) are Slack's own frameworks. Their class Assistant hears what people write to an
# app in the side view. Since 2026 new apps are agents (features.agent_view in the manifest): what somebody writes at top
# level of their direct messages is itself the root of a thread, so the event has no thread_ts; what they write in that
# thread has one.
#
# Expected: Assistant hears both, as it heard every message of the older view.
# Observed: it hears the second one alone. The message with which people begin falls through, in Python to status 404.
set -euo pipefail

python_version=1.30.0
node_version=5.1.0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --no-compile --disable-pip-version-check "slack_bolt==$python_version" "slack_sdk==3.48.0"
cd "$folder"
npm install --silent --no-audit --no-fund "@slack/bolt@$node_version" >&2

cat > events.json <<'JSON'
[
  {"type": "message", "channel": "D1", "channel_type": "im", "user": "U1", "text": "begins", "ts": "1.1"},
  {"type": "message", "channel": "D1", "channel_type": "im", "user": "U1", "text": "goes on", "ts": "1.2", "thread_ts": "1.1"}
]
JSON

cat > probe.py <<'PY'
import json
import logging

from slack_bolt import App, Assistant
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.request import BoltRequest

logging.disable(logging.CRITICAL)  # an event that nobody hears is a warning


def authorize(**_):
    return AuthorizeResult(enterprise_id=None, team_id="T1", bot_user_id="UBOT", bot_id="B1", bot_token="none")


app = App(signing_secret="none", authorize=authorize, request_verification_enabled=False, process_before_response=True)
assistant, heard, statuses = Assistant(), [], []
assistant.thread_started(lambda: None)
assistant.user_message(lambda payload: heard.append(payload["text"]))
app.use(assistant)
for event in json.load(open("events.json")):
    body = {"type": "event_callback", "team_id": "T1", "api_app_id": "A1", "event_id": "Ev1", "event": event}
    request = BoltRequest(body=json.dumps(body), headers={"content-type": ["application/json"]})
    statuses.append(app.dispatch(request).status)
print(json.dumps(heard), statuses)
PY

cat > probe.mjs <<'JS'
import { readFileSync } from 'node:fs';
import bolt from '@slack/bolt';

const receiver = { init() {}, start() {}, stop() {} };
const authorize = async () => ({ botToken: 'none', botId: 'B1', botUserId: 'UBOT' });
const app = new bolt.App({ receiver, authorize, logLevel: bolt.LogLevel.ERROR });
const heard = [];
app.assistant(new bolt.Assistant({
  threadStarted: async () => {},
  userMessage: async ({ message }) => { heard.push(message.text); },
}));
for (const event of JSON.parse(readFileSync('events.json', 'utf8'))) {
  const body = { type: 'event_callback', team_id: 'T1', api_app_id: 'A1', event_id: 'Ev1', event };
  await app.processEvent({ ack: async () => {}, body });
}
console.log(JSON.stringify(heard));
JS

in_python=$("$folder/venv/bin/python" probe.py)
in_javascript=$(node probe.mjs)
echo 'expected: ["begins","goes on"]'
echo "@slack/bolt $node_version observed: $in_javascript"
echo "slack_bolt $python_version observed: $in_python"
[[ $in_javascript == '["goes on"]' && $in_python == '["goes on"] [404, 200]' ]]
