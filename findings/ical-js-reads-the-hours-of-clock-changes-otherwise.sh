#!/usr/bin/env bash
# ical.js 2.2.1: times and lengths at a clock change. Europe/Berlin goes back on 2026-10-25 at 03:00 and forward on 2026-03-29 at
# 02:00.
# Guess, from RFC 5545 (3.3.5, 3.3.6): a time that is there twice is the first, a skipped one has the offset before the gap (02:30
# is 03:30), `PT24H` is 24 hours that elapse, and a series of every hour leaves out none.
# Seen: the second, 01:30, a day of 25 hours, and an hour that is missing.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 ical.js@2.2.1
cat > run.mjs <<'CODE'
import ICAL from 'ical.js'
const file = (...lines) => ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//T//EN', ...lines, 'END:VCALENDAR', ''].join('\r\n')
const event = (...lines) => ['BEGIN:VEVENT', 'UID:a', 'DTSTAMP:20260101T000000Z', ...lines, 'END:VEVENT']
const zone = (name) => [
  ...['BEGIN:VTIMEZONE', `TZID:${name}`],
  ...['BEGIN:DAYLIGHT', 'DTSTART:19700329T020000', 'TZOFFSETFROM:+0100', 'TZOFFSETTO:+0200', 'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU', 'END:DAYLIGHT'],
  ...['BEGIN:STANDARD', 'DTSTART:19701025T030000', 'TZOFFSETFROM:+0200', 'TZOFFSETTO:+0100', 'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU', 'END:STANDARD'],
  'END:VTIMEZONE',
]
const read = (...lines) => {
  const calendar = new ICAL.Component(ICAL.parse(file(...zone('Europe/Berlin'), ...event(...lines))))
  return new ICAL.Event(calendar.getFirstSubcomponent('vevent'))
}
const show = (time) => time.toJSDate().toISOString().slice(5, 16)
const start = (time) => `DTSTART;TZID=Europe/Berlin:${time}`
console.log('twice', show(read(start('20261025T023000')).startDate))
console.log('skipped', show(read(start('20260329T023000')).startDate))
const length = read(start('20261025T000000'), 'DURATION:PT24H')
console.log('24 hours from', show(length.startDate), 'to', show(length.endDate))
const hours = read(start('20261025T013000'), 'RRULE:FREQ=HOURLY;COUNT=4').iterator()
console.log('hourly', [1, 2, 3, 4].map(() => show(hours.next())).join(', '))
CODE
TZ=UTC node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
twice 10-25T01:30
skipped 03-29T00:30
24 hours from 10-24T22:00 to 10-25T23:00
hourly 10-24T23:30, 10-25T01:30, 10-25T02:30, 10-25T03:30
SEEN
echo 'As described.'
