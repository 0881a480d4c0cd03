#!/usr/bin/env bash
# ical-expander 3.2.0.
# Guess: of a series whose second occurrence was moved out of the range, the first and the third one are returned.
# Seen: it ends with the first time that is after the range, and takes the new time of the moved one for that. What follows is missing.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 ical-expander@3.2.0
cat > run.mjs <<'CODE'
import Expander from 'ical-expander'

const event = (...lines) => ['BEGIN:VEVENT', 'UID:x', 'DTSTAMP:20260101T000000Z', ...lines, 'END:VEVENT']
const series = (...lines) => event('DTSTART:20260105T100000Z', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=4', ...lines)
function show(what, ...lines) {
  const ics = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:x', ...lines, 'END:VCALENDAR', ''].join('\r\n')
  const range = [new Date('2026-01-05T00:00:00Z'), new Date('2026-01-09T00:00:00Z')]
  const { events, occurrences } = new Expander({ ics }).between(...range)
  const starts = [...events, ...occurrences].map(({ startDate }) => startDate.toString().slice(0, 13))
  console.log(what, ...starts.sort())
}
const moved = (to) => event('RECURRENCE-ID:20260106T100000Z', `DTSTART:${to}Z`, 'DURATION:PT1H')
show('as it is:', ...series())
show('moved by hours:', ...series(), ...moved('20260106T150000'))
show('moved by weeks:', ...series(), ...moved('20260120T100000'))
CODE
TZ=UTC node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
as it is: 2026-01-05T10 2026-01-06T10 2026-01-07T10 2026-01-08T10
moved by hours: 2026-01-05T10 2026-01-06T15 2026-01-07T10 2026-01-08T10
moved by weeks: 2026-01-05T10
SEEN
echo 'As described.'
