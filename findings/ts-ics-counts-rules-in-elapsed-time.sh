#!/usr/bin/env bash
# ts-ics 2.4.6: `extendByRecurrenceRule` of events that `convertIcsCalendar` has read.
# Guess: ten o'clock in Berlin stays ten o'clock after summer time, and a month without a 31st is left out (RFC 5545, section 3.3.10).
# Seen: it counts in UTC, so the hour moves. After February the 31st stays the 28th, and the last day of a month is the one before.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 ts-ics@2.4.6
cat > run.mjs <<'CODE'
import { convertIcsCalendar, extendByRecurrenceRule } from 'ts-ics'

const part = (kind, from, to, start, month) =>
  [`BEGIN:${kind}`, `TZOFFSETFROM:${from}`, `TZOFFSETTO:${to}`, `DTSTART:${start}`, `RRULE:FREQ=YEARLY;BYMONTH=${month};BYDAY=-1SU`, `END:${kind}`]
const summer = part('DAYLIGHT', '+0100', '+0200', '19700329T020000', 3)
const winter = part('STANDARD', '+0200', '+0100', '19701025T030000', 10)
const zone = ['BEGIN:VTIMEZONE', 'TZID:Europe/Berlin', ...summer, ...winter, 'END:VTIMEZONE']
for (const lines of [
  ['DTSTART;TZID=Europe/Berlin:20261018T100000', 'RRULE:FREQ=WEEKLY;COUNT=3'],
  ['DTSTART:20260131T100000Z', 'RRULE:FREQ=MONTHLY;COUNT=4'],
  ['DTSTART:20260131T100000Z', 'RRULE:FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=3'],
]) {
  const event = ['BEGIN:VEVENT', 'UID:x', 'DTSTAMP:20260101T000000Z', ...lines, 'END:VEVENT']
  const text = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:x', ...zone, ...event, 'END:VCALENDAR', ''].join('\r\n')
  const { start, recurrenceRule } = convertIcsCalendar(undefined, text).events[0]
  const all = extendByRecurrenceRule(recurrenceRule, { start: start.date, end: new Date('2027-01-01') })
  console.log(lines[1], ...all.map((each) => each.toISOString().slice(0, 16)))
}
CODE
TZ=UTC node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
RRULE:FREQ=WEEKLY;COUNT=3 2026-10-18T08:00 2026-10-25T08:00 2026-11-01T08:00
RRULE:FREQ=MONTHLY;COUNT=4 2026-01-31T10:00 2026-02-28T10:00 2026-03-28T10:00 2026-04-28T10:00
RRULE:FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=3 2026-02-27T10:00 2026-03-30T10:00 2026-04-29T10:00
SEEN
echo 'As described.'
