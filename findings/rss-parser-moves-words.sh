#!/usr/bin/env bash
# rss-parser (npm) reads feeds in RSS and Atom.
#
# Expected: an entry of an Atom feed whose text is XHTML (`type="xhtml"`, RFC 4287, 3.1.1.3) has its words in their order.
# Observed: what is marked up stands behind what is not: "Not on Monday but on Friday." becomes "Not on  but on
# .MondayFriday", in the HTML and in the text, and the title is an object. feedsmith (npm) leaves the words where they are.
set -euo pipefail

version=3.13.0
reference=3.0.1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund "rss-parser@$version" "feedsmith@$reference" >&2

cat > probe.mjs <<'JS'
import { parseFeed } from 'feedsmith';
import Parser from 'rss-parser';

const xhtml = (tag, words) => `<${tag} type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">${words}</div></${tag}>`;
const feed = `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <title>News</title><id>urn:example:feed</id><updated>2026-11-30T09:00:00Z</updated>
  <entry>
    ${xhtml('title', 'The <em>new</em> day')}
    <id>urn:example:1</id><link href="https://example.org/1"/><updated>2026-11-30T09:00:00Z</updated>
    ${xhtml('content', '<p>Not on <b>Monday</b> but on <b>Friday</b>.</p>')}
  </entry>
  <entry>
    <title>The new day</title>
    <id>urn:example:2</id><link href="https://example.org/2"/><updated>2026-11-30T09:00:00Z</updated>
    <content type="html">&lt;p&gt;Not on &lt;b&gt;Monday&lt;/b&gt; but on &lt;b&gt;Friday&lt;/b&gt;.&lt;/p&gt;</content>
  </entry>
</feed>`;
const text = (html) => html.replace(/<[^>]*>/g, '');
const expected = parseFeed(feed).feed.entries.map((entry) => text(entry.content.value));
const { items } = await new Parser().parseString(feed);

let changed = 0;
for (const [index, known] of ['Not on  but on .MondayFriday', 'Not on Monday but on Friday.'].entries()) {
  const observed = items[index].contentSnippet;
  console.log(`${index ? 'as HTML, a control' : 'as XHTML'}: expected "${expected[index]}", observed "${observed}"`);
  if (observed !== known || expected[index] !== 'Not on Monday but on Friday.') changed += 1;
  if (text(items[index].content) !== known) changed += 1;
}
console.log(`the title: expected "The new day", observed ${JSON.stringify(items[0].title)}`);
if (typeof items[0].title !== 'object') changed += 1;
process.exit(changed ? 1 : 0);
JS
echo "rss-parser $version beside feedsmith $reference, node $(node --version)"
node probe.mjs
