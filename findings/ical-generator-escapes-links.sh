#!/usr/bin/env bash
# ical-generator 11.1.2: the link of an event, with a comma or a semicolon in it.
# Guess: a URI is written as it is, since RFC 5545 escapes only texts (section 3.3.13).
# Seen: commas and semicolons get a backslash, which readers leave in the link. Percent-encode both before.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 ical-generator@11.1.2 ical.js@2.2.1
cat > run.mjs <<'CODE'
import ICAL from 'ical.js'
import ical from 'ical-generator'
const url = 'https://example.com/a;b?places=1,2'
const text = ical({ events: [{ id: 'a', start: new Date('2026-07-01T09:00:00Z'), summary: 'Tea', url }] }).toString()
console.log(text.match(/^URL.*/m)[0])
console.log(new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vevent').getFirstPropertyValue('url'))
CODE
TZ=UTC node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
URL;VALUE=URI:https://example.com/a\;b?places=1\,2
https://example.com/a\;b?places=1\,2
SEEN
echo 'As described.'
