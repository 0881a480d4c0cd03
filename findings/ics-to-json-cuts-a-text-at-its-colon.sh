#!/usr/bin/env bash
# ics-to-json 2.0.2 and ical-js-parser 0.7.4: the fields of an event that has an address in its text.
# Guess: a value is what follows the first colon of its line (RFC 5545, section 3.1).
# Seen: ics-to-json ends each value at the next colon, so a link in a description is `https`. ical-js-parser sets the seconds of
# times to zero and takes spaces out of the organizer's name.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 ics-to-json@2.0.2 ical-js-parser@0.7.4
cat > run.mjs <<'CODE'
import { createRequire } from 'node:module'
const require = createRequire(import.meta.url)
const file = (...lines) => ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//T//EN', ...lines, 'END:VCALENDAR', ''].join('\r\n')
const event = (...lines) => ['BEGIN:VEVENT', 'UID:a', 'DTSTAMP:20260101T000000Z', ...lines, 'END:VEVENT']
const lines = event(
  ...['DTSTART:20260701T091530Z', 'DTEND:20260701T101530Z', 'SUMMARY:Tea: at noon', 'DESCRIPTION:Join https://example.com/tea'],
  'ORGANIZER;CN="Demo Studio":mailto:desk@example.com',
)
const converter = require('ics-to-json')
console.log(JSON.stringify((converter.default ?? converter.icsToJson)(file(...lines))))
const parser = require('ical-js-parser')
const { dtstart, summary, description, organizer } = (parser.default ?? parser).toJSON(file(...lines)).events[0]
console.log(JSON.stringify({ dtstart, summary, description, organizer }))
CODE
TZ=UTC node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
[{"startDate":"20260701T091530Z","endDate":"20260701T101530Z","summary":"Tea","description":"Join https"}]
{"dtstart":{"value":"20260701T091500Z"},"summary":"Tea: at noon","description":"Join https://example.com/tea","organizer":{"CN":"\"DemoStudio\"","mailto":"desk@example.com"}}
SEEN
echo 'As described.'
