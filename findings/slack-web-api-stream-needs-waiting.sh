#!/usr/bin/env bash
# @slack/web-api (npm) is Slack's own client; `chatStream` shows an answer while a model writes it.
#
# Expected: pieces that are appended one after the other stand in one message, each once and in this order, as with the
# streams of Node, whether or not each call was waited for. The events of model SDKs ("a piece of text has come") wait for
# nobody.
# Observed: while a call is under way its text stays in the buffer, so that the next call sends it again, and each call
# before the first reply starts a message of its own. When a reply comes the whole buffer goes, with what was appended
# since: it is never sent, and no call fails. Where each call is waited for, all is right.
set -euo pipefail

version=8.2.0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund "@slack/web-api@$version" >&2

cat > probe.mjs <<'JS'
import http from 'node:http';
import { WebClient } from '@slack/web-api';

// A stand-in for Slack that answers when it is told to, or at once.
const calls = [];
const waiting = [];
let atOnce = true;
const server = http.createServer((request, response) => {
  let body = '';
  request.on('data', (piece) => { body += piece; });
  request.on('end', () => {
    const given = new URLSearchParams(body);
    const text = JSON.parse(given.get('chunks') ?? '[]').map((chunk) => chunk.text).join('');
    calls.push(`${request.url.split('.').pop()}(${text})`);
    const ts = `1.${calls.length}`;
    const answer = () => response.setHeader('content-type', 'application/json')
      .end(JSON.stringify({ ok: true, channel: 'C1', ts }));
    if (atOnce) answer(); else waiting.push(answer);
  });
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const client = new WebClient('xoxb-probe', { slackApiUrl: `http://127.0.0.1:${server.address().port}/api/` });
const begun = () => client.chatStream({
  channel: 'C1', thread_ts: '1.0', recipient_team_id: 'T1', recipient_user_id: 'U1', buffer_size: 8,
});
const called = async (number) => {
  while (waiting.length < number) await new Promise((resolve) => setTimeout(resolve, 5));
};

let stream = begun();
for (const text of ['The talk ', 'is Tuesday ', 'at 3.']) await stream.append({ markdown_text: text });
await stream.stop();
const waited = calls.splice(0).join(' ');

stream = begun();
atOnce = false;
const first = stream.append({ markdown_text: 'The talk ' });
await called(1);
const second = stream.append({ markdown_text: 'is Tuesday ' });
await called(2);
waiting[0]();
await first;
const third = stream.append({ markdown_text: 'at 3.' });
waiting[1]();
await Promise.all([second, third]);
atOnce = true;
await stream.stop();
const unwaited = calls.splice(0).join(' ');
server.close();

const right = 'startStream(The talk ) appendStream(is Tuesday ) stopStream(at 3.)';
console.log(`each call waited for: expected and observed ${waited}`);
console.log(`not waited for: expected one message with all of it, once\n  observed ${unwaited}`);
const known = 'startStream(The talk ) startStream(The talk is Tuesday ) stopStream()';
process.exit(waited === right && unwaited === known ? 0 : 1);
JS
echo "@slack/web-api $version, node $(node --version)"
node probe.mjs
