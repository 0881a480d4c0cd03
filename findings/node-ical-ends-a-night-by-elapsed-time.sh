#!/usr/bin/env bash
# node-ical 0.27.2: a series from 22:00 to 06:00 ends at 05:00 on the night on which summer time ends.
# Calendar programs show it until 06:00 every day. Guess: the clock decides the end, as it decides the start.
# Seen: each occurrence lasts the eight hours that elapse in the first one, so an hour of that night is free.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 node-ical@0.27.2
cat > run.mjs <<'CODE'
import ical from 'node-ical'
const zone = 'TZID=Europe/Berlin'
const event = ['BEGIN:VEVENT', 'UID:a', 'DTSTAMP:20260101T000000Z', `DTSTART;${zone}:20261023T220000`, `DTEND;${zone}:20261024T060000`]
const all = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//T//EN', ...event, 'RRULE:FREQ=DAILY;COUNT=3', 'END:VEVENT', 'END:VCALENDAR', '']
const read = Object.values(ical.sync.parseICS(all.join('\r\n'))).find(({ type }) => type === 'VEVENT')
const range = { from: new Date('2026-10-01T00:00:00Z'), to: new Date('2026-11-01T00:00:00Z') }
const show = (date) => date.toLocaleString('sv', { timeZone: 'Europe/Berlin' })
for (const { start, end } of ical.expandRecurringEvent(read, range)) console.log(show(start), 'to', show(end))
CODE
TZ=UTC node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
2026-10-23 22:00:00 to 2026-10-24 06:00:00
2026-10-24 22:00:00 to 2026-10-25 05:00:00
2026-10-25 22:00:00 to 2026-10-26 06:00:00
SEEN
echo 'As described.'
