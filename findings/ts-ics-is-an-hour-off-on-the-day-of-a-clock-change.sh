#!/usr/bin/env bash
# ts-ics 2.4.6: times on the day of a clock change, and lists and names that have signs.
# Guess: 01:30 of a night whose clock changes at 02:00 or 03:00 is before the change. A comma in a category and a name in quotes
# are read as RFC 5545 has them.
# Seen: from midnight on, the day has the offset that it ends with, so times before the change are an hour off. A category is cut
# at an escaped comma, and a quoted name at its semicolon, with one quote left in.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 ts-ics@2.4.6
cat > run.mjs <<'CODE'
import { convertIcsCalendar } from 'ts-ics'
const file = (...lines) => ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//T//EN', ...lines, 'END:VCALENDAR', ''].join('\r\n')
const event = (...lines) => ['BEGIN:VEVENT', 'UID:a', 'DTSTAMP:20260101T000000Z', ...lines, 'END:VEVENT']
const zone = (name) => [
  ...['BEGIN:VTIMEZONE', `TZID:${name}`],
  ...['BEGIN:DAYLIGHT', 'DTSTART:19700329T020000', 'TZOFFSETFROM:+0100', 'TZOFFSETTO:+0200', 'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU', 'END:DAYLIGHT'],
  ...['BEGIN:STANDARD', 'DTSTART:19701025T030000', 'TZOFFSETFROM:+0200', 'TZOFFSETTO:+0100', 'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU', 'END:STANDARD'],
  'END:VTIMEZONE',
]
const read = (...lines) => convertIcsCalendar(undefined, file(...zone('Europe/Berlin'), ...event(...lines))).events[0]
for (const time of ['20260328T233000', '20260329T003000', '20260329T013000', '20260329T033000', '20261025T003000', '20261025T013000', '20261025T033000']) {
  const { start } = read(`DTSTART;TZID=Europe/Berlin:${time}`, `DTEND;TZID=Europe/Berlin:${time}`)
  console.log(time, start.date.toISOString())
}
const { categories, attendees } = read('DTSTART:20260701T090000Z', 'CATEGORIES:Tea\\, coffee,Cake', 'ATTENDEE;CN="Ada; Lovelace":mailto:ada@example.org')
console.log(JSON.stringify(categories), JSON.stringify(attendees[0].name))
CODE
TZ=UTC node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
20260328T233000 2026-03-28T22:30:00.000Z
20260329T003000 2026-03-28T22:30:00.000Z
20260329T013000 2026-03-28T23:30:00.000Z
20260329T033000 2026-03-29T01:30:00.000Z
20261025T003000 2026-10-24T23:30:00.000Z
20261025T013000 2026-10-25T00:30:00.000Z
20261025T033000 2026-10-25T02:30:00.000Z
["Tea\\"," coffee","Cake"] "\"Ada"
SEEN
echo 'As described.'
