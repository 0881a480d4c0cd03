#!/usr/bin/env bash
# date-fns 4.4.0 with @date-fns/tz 1.5.0: what steps or rounds by the hour loses the second of two equal hours.
# New York on 2026-11-01 has five hours from 00:00 to 04:00, with 01:00 twice. Guess: eachHourOfInterval lists six starts, and
# startOfHour, setMinutes and roundToNearestMinutes stay within the hour that they are given.
# Seen: five starts (eachMinuteOfInterval with a step of 60 lists six), and all three functions go back to the first 01:00 hour.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 date-fns@4.4.0 @date-fns/tz@1.5.0
cat > run.mjs <<'CODE'
import { TZDate } from '@date-fns/tz'
import { eachHourOfInterval, eachMinuteOfInterval, roundToNearestMinutes, setMinutes, startOfHour } from 'date-fns'
const zone = 'America/New_York'
const night = { start: new TZDate(2026, 10, 1, 0, 0, zone), end: new TZDate(2026, 10, 1, 4, 0, zone) }
console.log('each hour', eachHourOfInterval(night).length)
console.log('each 60 minutes', eachMinuteOfInterval(night, { step: 60 }).length)
const second = () => new TZDate(Date.parse('2026-11-01T06:31:00Z'), zone)
console.log('given', second().toISOString())
console.log('startOfHour', startOfHour(second()).toISOString())
console.log('setMinutes', setMinutes(second(), 45).toISOString())
console.log('roundToNearestMinutes', roundToNearestMinutes(second(), { nearestTo: 15 }).toISOString())
CODE
node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
each hour 5
each 60 minutes 6
given 2026-11-01T01:31:00.000-05:00
startOfHour 2026-11-01T01:00:00.000-04:00
setMinutes 2026-11-01T01:45:00.000-04:00
roundToNearestMinutes 2026-11-01T01:30:00.000-04:00
SEEN
echo 'As described.'
