#!/usr/bin/env bash
# ical 0.8.0 of npm, the package from which node-ical began: events in a zone, read in Berlin.
# Guess: a TZID is followed, if it is of the IANA database or described in the file, DURATION gives the end, the rule leaves out the dates
# of EXDATE, and a quoted name is read whole.
# Seen: 09:00 in New York is 09:00 in Berlin. An event with DURATION has no end, the rule still has the excluded date, and a name
# ends at its semicolon.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 ical@0.8.0
cat > run.mjs <<'CODE'
import ical from 'ical'

const zone = ['BEGIN:VTIMEZONE', 'TZID:America/New_York', 'BEGIN:STANDARD', 'DTSTART:20260101T000000', 'TZOFFSETFROM:-0400',
  'TZOFFSETTO:-0400', 'END:STANDARD', 'END:VTIMEZONE']
const start = 'DTSTART;TZID=America/New_York:20260706T090000'
const read = (...lines) => {
  const file = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:x', ...zone, 'BEGIN:VEVENT', 'UID:a', ...lines, 'END:VEVENT', 'END:VCALENDAR', '']
  return Object.values(ical.parseICS(file.join('\r\n'))).find(({ type }) => type === 'VEVENT')
}
const show = (date) => date?.toISOString().slice(0, 16)
console.log('New York:', show(read(start).start))
console.log('UTC:', show(read('DTSTART:20260706T130000Z').start))
console.log('end:', show(read('DTSTART:20260706T130000Z', 'DURATION:PT1H').end))
const series = read('DTSTART:20260706T130000Z', 'RRULE:FREQ=DAILY;COUNT=3', 'EXDATE:20260707T130000Z')
console.log('series:', ...series.rrule.all().map(show))
console.log('attendee:', JSON.stringify(read(start, 'ATTENDEE;CN="Doe; Jane":mailto:jane@example.org').attendee.params))
CODE
TZ=Europe/Berlin node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
New York: 2026-07-06T07:00
UTC: 2026-07-06T13:00
end: undefined
series: 2026-07-06T13:00 2026-07-07T13:00 2026-07-08T13:00
attendee: {"CN":"\"Doe"}
SEEN
echo 'As described.'
