#!/usr/bin/env bash
# node-ical 0.27.2, ical 0.8.0, icalendar 0.7.1, ikalendar 1.5.0 and cal-parser 1.0.2: a text with a backslash before an n, such
# as the path `C:\new`, which a calendar file has as `C:\\new` (RFC 5545, section 3.3.11).
# Guess: each pair of a backslash and a character is read once, from left to right, as ical.js and ts-ics do.
# Seen: four of them read the second backslash and the n as a line break. cal-parser drops both backslashes and the n.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 node-ical@0.27.2 ical@0.8.0 icalendar@0.7.1 ikalendar@1.5.0 cal-parser@1.0.2 ical.js@2.2.1 ts-ics@2.4.6
cat > run.mjs <<'CODE'
import { createRequire } from 'node:module'
import ICAL from 'ical.js'
import nodeIcal from 'node-ical'
import { convertIcsCalendar } from 'ts-ics'
const require = createRequire(import.meta.url)
const file = (...lines) => ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//T//EN', ...lines, 'END:VCALENDAR', ''].join('\r\n')
const event = (...lines) => ['BEGIN:VEVENT', 'UID:a', 'DTSTAMP:20260101T000000Z', ...lines, 'END:VEVENT']
const text = file(...event('DTSTART:20260701T090000Z', 'DTEND:20260701T100000Z', 'SUMMARY:In C:\\\\new'))
const eventOf = (read) => Object.values(read).find(({ type }) => type === 'VEVENT')
const { Parser } = require('ikalendar')
const readers = {
  'node-ical': () => eventOf(nodeIcal.sync.parseICS(text)).summary,
  ical: () => eventOf(require('ical').parseICS(text)).summary,
  icalendar: () => require('icalendar').parse_calendar(text).events()[0].getPropertyValue('SUMMARY'),
  ikalendar: () => new Parser().parse(text).events[0].summary,
  'cal-parser': () => require('cal-parser').parseString(text).events[0].summary.value,
  'ical.js': () => new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vevent').getFirstPropertyValue('summary'),
  'ts-ics': () => convertIcsCalendar(undefined, text).events[0].summary,
}
for (const [name, read] of Object.entries(readers)) console.log(name, JSON.stringify(read()))
CODE
TZ=UTC node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
node-ical "In C:\\\new"
ical "In C:\\\new"
icalendar "In C:\new"
ikalendar "In C:\\\new"
cal-parser "In C: ew"
ical.js "In C:\\new"
ts-ics "In C:\\new"
SEEN
echo 'As described.'
