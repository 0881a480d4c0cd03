#!/usr/bin/env bash
# @formkit/tempo 1.1.0: `tzDate('2026-03-29 01:30', 'Europe/Berlin')` on the day on which summer time begins.
# Guess: 01:30 is there once on that day, so it is 00:30 UTC; only the hour from 02:00 is a question.
# Seen: some hours beside the clock change are an hour off: 01:30 in Berlin is 23:30 of the day before in UTC, 03:30 in New York is
# 04:30. `format` of the result with the same zone shows the wrong time too. Other days are right.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 @formkit/tempo@1.1.0
cat > run.mjs <<'CODE'
import { format, tzDate } from '@formkit/tempo'
const show = (time, tz) => {
  const date = tzDate(time, tz)
  console.log(time, tz, 'is', date.toISOString(), 'and is shown as', format({ date, format: 'YYYY-MM-DD HH:mm', tz }))
}
for (const time of ['2026-03-28 01:30', '2026-03-29 00:30', '2026-03-29 01:30', '2026-03-29 03:30', '2026-03-29 04:30']) show(time, 'Europe/Berlin')
for (const time of ['2026-03-08 01:30', '2026-03-08 03:30', '2026-03-08 06:30', '2026-03-08 09:30', '2026-11-01 03:30']) show(time, 'America/New_York')
CODE
TZ=UTC node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
2026-03-28 01:30 Europe/Berlin is 2026-03-28T00:30:00.000Z and is shown as 2026-03-28 01:30
2026-03-29 00:30 Europe/Berlin is 2026-03-28T23:30:00.000Z and is shown as 2026-03-29 00:30
2026-03-29 01:30 Europe/Berlin is 2026-03-28T23:30:00.000Z and is shown as 2026-03-29 00:30
2026-03-29 03:30 Europe/Berlin is 2026-03-29T01:30:00.000Z and is shown as 2026-03-29 03:30
2026-03-29 04:30 Europe/Berlin is 2026-03-29T02:30:00.000Z and is shown as 2026-03-29 04:30
2026-03-08 01:30 America/New_York is 2026-03-08T06:30:00.000Z and is shown as 2026-03-08 01:30
2026-03-08 03:30 America/New_York is 2026-03-08T08:30:00.000Z and is shown as 2026-03-08 04:30
2026-03-08 06:30 America/New_York is 2026-03-08T11:30:00.000Z and is shown as 2026-03-08 07:30
2026-03-08 09:30 America/New_York is 2026-03-08T13:30:00.000Z and is shown as 2026-03-08 09:30
2026-11-01 03:30 America/New_York is 2026-11-01T07:30:00.000Z and is shown as 2026-11-01 02:30
SEEN
echo 'As described.'
