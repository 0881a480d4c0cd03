#!/usr/bin/env bash
# icalendar 0.7.1 of npm: which dates it makes of four rules.
# Guess: a rule that it does not support raises an error, as BYSETPOS does, and the others are expanded as RFC 5545 says.
# Seen: every second Monday and Wednesday includes the Monday between, the last Friday leaves out February, 29 February moves to
# 1 March, and each extra date of RDATE is left out.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 icalendar@0.7.1
cat > run.mjs <<'CODE'
import ical from 'icalendar'

const CASES = {
  'second Mondays and Wednesdays': ['20260105', 'RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE;COUNT=5'],
  'last Fridays': ['20260130', 'RRULE:FREQ=MONTHLY;BYDAY=-1FR;COUNT=3'],
  '29 February': ['20240229', 'RRULE:FREQ=YEARLY;COUNT=2'],
  'weekly with an extra date': ['20260105', 'RRULE:FREQ=WEEKLY;COUNT=2', 'RDATE:20260109T080000Z'],
  'last weekday': ['20260130', 'RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=3'],
}
for (const [name, [day, ...lines]] of Object.entries(CASES)) {
  const event = ['BEGIN:VEVENT', 'UID:a', 'DTSTAMP:20260101T000000Z', `DTSTART:${day}T080000Z`, `DTEND:${day}T090000Z`, ...lines, 'END:VEVENT']
  const file = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//T//EN', ...event, 'END:VCALENDAR', '']
  try {
    const rule = ical.parse_calendar(file.join('\r\n')).events()[0].rrule()
    const dates = []
    for (let at = rule.next(new Date('2020-01-01')); at; at = rule.next(at)) dates.push(at.toISOString().slice(0, 10))
    console.log(`${name}:`, ...dates)
  } catch ({ message }) {
    console.log(`${name}: ${message}`)
  }
}
CODE
TZ=UTC node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
second Mondays and Wednesdays: 2026-01-05 2026-01-07 2026-01-12 2026-01-19 2026-01-21
last Fridays: 2026-01-30 2026-03-27 2026-04-24
29 February: 2024-02-29 2025-03-01
weekly with an extra date: 2026-01-05 2026-01-12
last weekday: BYSETPOS is not currently supported!
SEEN
echo 'As described.'
