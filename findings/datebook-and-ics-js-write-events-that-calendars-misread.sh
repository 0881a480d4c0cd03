#!/usr/bin/env bash
# datebook 8.0.1 and ics-js 0.10.2: the calendar file of one event.
# Guess: an event of datebook blocks its time, as an event without TRANSP does. A Date of JavaScript is written by ics-js as its
# instant, and texts are escaped.
# Seen: datebook writes TRANSP:TRANSPARENT, so calendars and schedulers that read the file show the time as free. ics-js writes
# the clock of the process without a zone, and leaves commas and semicolons as they are.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 datebook@8.0.1 ics-js@0.10.2 ical.js@2.2.1
cat > run.mjs <<'CODE'
import { createRequire } from 'node:module'
const require = createRequire(import.meta.url)
const [start, end] = [new Date('2026-07-01T09:00:00Z'), new Date('2026-07-01T10:00:00Z')]
const { ICalendar } = require('datebook')
console.log('datebook', new ICalendar({ title: 'Tea', start, end }).render().match(/^TRANSP.*/m)[0])
const { VCALENDAR, VEVENT } = require('ics-js')
const event = new VEVENT()
for (const [name, value] of [['UID', 'a'], ['DTSTAMP', start], ['DTSTART', start], ['SUMMARY', 'Tea, coffee; cake']]) event.addProp(name, value)
const calendar = new VCALENDAR()
for (const [name, value] of [['VERSION', 2], ['PRODID', 'x']]) calendar.addProp(name, value)
calendar.addComponent(event)
for (const name of ['DTSTART', 'SUMMARY']) console.log('ics-js', calendar.toString().match(new RegExp(`^${name}.*`, 'm'))[0])
CODE
TZ=America/New_York node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
datebook TRANSP:TRANSPARENT
ics-js DTSTART:20260701T050000
ics-js SUMMARY:Tea, coffee; cake
SEEN
echo 'As described.'
