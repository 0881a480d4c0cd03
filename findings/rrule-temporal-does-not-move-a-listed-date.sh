#!/usr/bin/env bash
# rrule-temporal 2.2.8: `SKIP=FORWARD` moves 29 February only if no other day of the month is listed with it.
# RFC 7529, 4.1, moves each invalid date to the next valid one. Guess: 28 February and 1 March in a year without a leap day, with
# `BYMONTHDAY=28,29`. Seen: 28 February alone; `BYMONTHDAY=29` has 1 March.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 rrule-temporal@2.2.8
cat > run.mjs <<'CODE'
import { RRuleTemporal } from 'rrule-temporal'
for (const days of ['29', '28,29']) {
  const rule = `RRULE:RSCALE=GREGORIAN;FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=${days};SKIP=FORWARD;COUNT=3`
  const found = new RRuleTemporal({ rruleString: `DTSTART;VALUE=DATE:20150201\n${rule}` }).all()
  console.log(days, ...found.map((date) => date.toPlainDate().toString()))
}
CODE
node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
29 2015-03-01 2016-02-29 2017-03-01
28,29 2015-02-28 2016-02-28 2016-02-29
SEEN
echo 'As described.'
