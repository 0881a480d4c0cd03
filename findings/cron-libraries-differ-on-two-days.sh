#!/usr/bin/env bash
# node-cron 4.6.0, @breejs/later 4.2.0, croner 11.0.1, cron-parser 5.10.6 and cronstrue 3.39.0: `0 0 13 * 5`.
# Guess: all run on each Friday and on each 13th, as POSIX says of two restricted days and as crontab does.
# Seen: node-cron and later run on a Friday that is the 13th only, three times in two years, and cronstrue describes that.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 node-cron@4.6.0 @breejs/later@4.2.0 croner@11.0.1 cron-parser@5.10.6 cronstrue@3.39.0
cat > run.mjs <<'CODE'
import later from '@breejs/later'
import { CronExpressionParser } from 'cron-parser'
import { Cron } from 'croner'
import cronstrue from 'cronstrue'
import cron from 'node-cron'

const text = '0 0 13 * 5'
const from = new Date('2026-03-01T00:00:00Z')
const days = Array.from({ length: 31 }, (_, day) => new Date(Date.UTC(2026, 2, day + 1)))
const task = cron.createTask(text, () => {}, { timezone: 'UTC' })
const parsed = CronExpressionParser.parse(text, { tz: 'UTC', currentDate: from })
const libraries = {
  'node-cron': days.filter((day) => task.match(day)),
  later: later.schedule(later.parse.cron(text)).next(4, from, days.at(-1)),
  croner: new Cron(text, { timezone: 'UTC' }).nextRuns(4, from),
  'cron-parser': Array.from({ length: 4 }, () => parsed.next().toDate()),
}
for (const [name, runs] of Object.entries(libraries))
  console.log(`${name} in March 2026:`, ...[runs].flat().map((run) => run.getUTCDate()))
console.log('cronstrue:', cronstrue.toString(text))
CODE
TZ=UTC node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
node-cron in March 2026: 13
later in March 2026: 13
croner in March 2026: 6 13 20 27
cron-parser in March 2026: 6 13 20 27
cronstrue: At 12:00 AM, on day 13 of the month, and on Friday
SEEN
echo 'As described.'
