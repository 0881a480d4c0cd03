#!/usr/bin/env bash
# ical.js 2.2.1: an event that has extra dates (RDATE) and no rule.
# Guess: the start of the event is its first date (RFC 5545, section 3.8.5.2). An extra date that is a period is returned as its
# start, and the occurrence ends when the period ends.
# Seen: the start is left out unless there is also a rule. The iterator returns the period itself, which has no `toJSDate`, and
# asking for the details of that occurrence throws.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 ical.js@2.2.1
cat > run.mjs <<'CODE'
import ICAL from 'ical.js'
const file = (...lines) => ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//T//EN', ...lines, 'END:VCALENDAR', ''].join('\r\n')
const event = (...lines) => ['BEGIN:VEVENT', 'UID:a', 'DTSTAMP:20260101T000000Z', ...lines, 'END:VEVENT']
const first = ['DTSTART:20260701T090000Z', 'DTEND:20260701T100000Z']
const cases = {
  'date and time': ['RDATE:20260705T090000Z'],
  'with a rule': ['RRULE:FREQ=DAILY;COUNT=2', 'RDATE:20260705T090000Z'],
  period: ['RDATE;VALUE=PERIOD:20260705T090000Z/PT3H'],
}
for (const [name, lines] of Object.entries(cases)) {
  const calendar = new ICAL.Component(ICAL.parse(file(...event(...first, ...lines))))
  const series = new ICAL.Event(calendar.getFirstSubcomponent('vevent'))
  const iterator = series.iterator()
  for (let next = iterator.next(); next; next = iterator.next()) {
    console.log(`${name}:`, String(next), typeof next.toJSDate)
    try {
      series.getOccurrenceDetails(next)
    } catch (error) {
      console.log(error.name)
    }
  }
}
CODE
TZ=UTC node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
date and time: 2026-07-05T09:00:00Z function
with a rule: 2026-07-01T09:00:00Z function
with a rule: 2026-07-02T09:00:00Z function
with a rule: 2026-07-05T09:00:00Z function
period: 2026-07-05T09:00:00Z/PT3H undefined
TypeError
SEEN
echo 'As described.'
