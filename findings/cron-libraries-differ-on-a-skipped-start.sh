#!/usr/bin/env bash
# croner 11.0.1, cron 4.4.0 and cron-parser 5.10.6: a job at 02:30 each day on the night that has no 02:30, and a job of every
# half hour where the clock goes back by half an hour (Lord Howe Island).
# Guess: all three run the skipped job at 03:30, as Temporal, date-fns and calendars read 02:30, and run every half hour that
# elapses.
# Seen: croner and cron run it at 03:00, cron-parser at 03:30. At Lord Howe, cron-parser leaves out one half hour.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 croner@11.0.1 cron@4.4.0 cron-parser@5.10.6 cron-schedule@6.0.0
cat > run.mjs <<'CODE'
import { CronTime } from 'cron'
import { CronExpressionParser } from 'cron-parser'
import { Cron } from 'croner'
const libraries = {
  croner: (text, timezone, from, count) => new Cron(text, { timezone }).nextRuns(count, from),
  cron: (text, timezone, from, count) => {
    const time = new CronTime(text, timezone)
    const runs = []
    while (runs.length < count) runs.push(time.getNextDateFrom(runs.at(-1) ?? from, timezone).toJSDate())
    return runs
  },
  'cron-parser': (text, tz, currentDate, count) => {
    const times = CronExpressionParser.parse(text, { tz, currentDate })
    return Array.from({ length: count }, () => times.next().toDate())
  },
}
for (const [name, nextRuns] of Object.entries(libraries)) {
  const show = (...args) => nextRuns(...args).map((run) => run.toISOString().slice(5, 16)).join(', ')
  console.log(name, 'Berlin:', show('30 2 * * *', 'Europe/Berlin', new Date('2026-03-28T12:00:00Z'), 2))
  console.log(name, 'Lord Howe:', show('*/30 * * * *', 'Australia/Lord_Howe', new Date('2026-04-04T14:10:00Z'), 3))
}
CODE
TZ=UTC node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
croner Berlin: 03-29T01:00, 03-30T00:30
croner Lord Howe: 04-04T14:30, 04-04T15:00, 04-04T15:30
cron Berlin: 03-29T01:00, 03-30T00:30
cron Lord Howe: 04-04T14:30, 04-04T15:00, 04-04T15:30
cron-parser Berlin: 03-29T01:30, 03-30T00:30
cron-parser Lord Howe: 04-04T14:30, 04-04T15:30, 04-04T16:00
SEEN
echo 'As described.'
