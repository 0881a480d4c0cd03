#!/usr/bin/env bash
# node-ical 0.27.2: RDATE is kept as text, and the dates it adds are not expanded.
# RFC 5545, 3.8.5.2, makes them occurrences like those of a rule. Guess: `expandRecurringEvent` returns three. Seen: two, and of an event
# that has RDATE and no RRULE one.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 node-ical@0.27.2
cat > run.mjs <<'CODE'
import ical from 'node-ical'
const event = ['BEGIN:VEVENT', 'UID:a', 'DTSTAMP:20260101T000000Z', 'DTSTART:20260310T100000Z', 'DTEND:20260310T110000Z']
for (const lines of [['RRULE:FREQ=DAILY;COUNT=2'], []]) {
  const all = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//T//EN', ...event, ...lines, 'RDATE:20260320T100000Z', 'END:VEVENT', 'END:VCALENDAR', '']
  const read = Object.values(ical.sync.parseICS(all.join('\r\n'))).find(({ type }) => type === 'VEVENT')
  const range = { from: new Date('2026-03-01T00:00:00Z'), to: new Date('2026-04-01T00:00:00Z') }
  const times = ical.expandRecurringEvent(read, range).map(({ start }) => start.toISOString())
  console.log(JSON.stringify(read.rdate), ...times)
}
CODE
TZ=UTC node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
"20260320T100000Z" 2026-03-10T10:00:00.000Z 2026-03-11T10:00:00.000Z
"20260320T100000Z" 2026-03-10T10:00:00.000Z
SEEN
echo 'As described.'
