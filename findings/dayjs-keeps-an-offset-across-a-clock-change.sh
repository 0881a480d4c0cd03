#!/usr/bin/env bash
# dayjs 1.11.23: a time of the zone plugin that is changed across a clock change.
# Guess: `add(1, 'day')` and `hour(12)` keep the wall time and take the offset of the new time, as the plugin does when it parses.
# Seen: the result keeps the old offset, so the instant is an hour off while the wall time looks right. Adding hours gives the
# right instant and shows it with the old offset. Parsing what `format('YYYY-MM-DD HH:mm')` writes with the zone mends it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 dayjs@1.11.23
cat > run.mjs <<'CODE'
import dayjs from 'dayjs'
import timezone from 'dayjs/plugin/timezone.js'
import utc from 'dayjs/plugin/utc.js'
dayjs.extend(utc)
dayjs.extend(timezone)
const zone = 'Europe/Berlin'
const saturday = dayjs.tz('2026-10-24 09:00', zone)
console.log('parsed  ', dayjs.tz('2026-10-25 09:00', zone).format())
console.log('+ 1 day ', saturday.add(1, 'day').format())
console.log('date(25)', saturday.date(25).format())
console.log('noon    ', dayjs.tz('2026-10-25 01:00', zone).hour(12).format())
console.log('+ 24 h  ', saturday.add(24, 'hour').format())
console.log('mended  ', dayjs.tz(saturday.add(1, 'day').format('YYYY-MM-DD HH:mm'), zone).format())
CODE
TZ=UTC node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
parsed   2026-10-25T09:00:00+01:00
+ 1 day  2026-10-25T09:00:00+02:00
date(25) 2026-10-25T09:00:00+02:00
noon     2026-10-25T12:00:00+02:00
+ 24 h   2026-10-25T09:00:00+02:00
mended   2026-10-25T09:00:00+01:00
SEEN
echo 'As described.'
