#!/usr/bin/env bash
# calendar-link 2.11.5: the calendar file and the Outlook link of one event, a whole day and an organizer.
# Guess: the file escapes commas and marks whole days as dates, and each link has the right instant.
# Seen: a whole day has no VALUE=DATE, commas and semicolons are not escaped nor in quotes, and Outlook gets the clock of UTC without a Z.
# Each file of the same event has another UID, so that importing it again adds the event twice.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 calendar-link@2.11.5
cat > run.mjs <<'CODE'
import { ics, outlook } from 'calendar-link'

const event = {
  title: 'Yoga, beginners; room 5',
  start: '2026-07-06T09:00:00+02:00',
  duration: [1, 'hour'],
  organizer: { name: 'Doe, Jane', email: 'jane@example.org' },
}
const linesOf = (one) => decodeURIComponent(ics(one)).split(/\r?\n/)
const show = (lines, pattern) => lines.filter((line) => pattern.test(line)).forEach((line) => console.log(line))
show(linesOf(event), /^(DTSTART|SUMMARY|ORGANIZER)/)
show(linesOf({ title: 'Day', start: '2026-07-06', allDay: true }), /^DT(START|END)/)
console.log('files:', new Set(Array.from({ length: 20 }, () => linesOf(event).find((line) => line.startsWith('UID')))).size > 1 ? 'other UIDs' : 'one UID')
console.log('Outlook:', new URL(outlook(event)).searchParams.get('startdt'))
CODE
TZ=UTC node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
DTSTART:20260706T070000Z
SUMMARY:Yoga, beginners; room 5
ORGANIZER;CN=Doe, Jane:MAILTO:jane@example.org
DTSTART:20260706
DTEND:20260707
files: other UIDs
Outlook: 2026-07-06T07:00:00
SEEN
echo 'As described.'
