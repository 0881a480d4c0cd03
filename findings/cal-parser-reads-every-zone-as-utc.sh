#!/usr/bin/env bash
# cal-parser 1.0.2: events in a zone, and a series in a range.
# Guess: a TZID of the IANA database is followed, or the time is marked as local, and a range lists each occurrence in it.
# Seen: 09:00 in New York is 09:00 UTC, four hours early in summer. A range that includes the first occurrence lists no other, a
# later range lists all, and none of a series with an EXDATE.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 cal-parser@1.0.2 rrule@2.8.1
cat > run.mjs <<'CODE'
import parser from 'cal-parser'

const zone = 'TZID=America/New_York'
const event = ['UID:a', 'DTSTAMP:20260101T000000Z', `DTSTART;${zone}:20260706T090000`, `DTEND;${zone}:20260706T100000`]
const rule = 'RRULE:FREQ=DAILY;COUNT=4'
for (const [name, series] of Object.entries({ series: [rule], 'without the 8th': [rule, `EXDATE;${zone}:20260708T090000`] })) {
  const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//T//EN', 'BEGIN:VEVENT', ...event, ...series, 'END:VEVENT', 'END:VCALENDAR', '']
  const calendar = parser.parseString(lines.join('\r\n'))
  for (const from of ['2026-07-06', '2026-07-07']) {
    const found = calendar.getEventsBetweenDates(new Date(`${from}T00:00:00Z`), new Date('2026-08-01T00:00:00Z'))
    console.log(`${name} from ${from}:`, ...found.flatMap((one) => one.matchingDates.map((date) => date.toISOString().slice(0, 16))))
  }
}
CODE
TZ=UTC node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
series from 2026-07-06: 2026-07-06T09:00
series from 2026-07-07: 2026-07-07T09:00 2026-07-08T09:00 2026-07-09T09:00
without the 8th from 2026-07-06: 2026-07-06T09:00
without the 8th from 2026-07-07:
SEEN
echo 'As described.'
