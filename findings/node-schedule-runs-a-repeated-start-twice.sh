#!/usr/bin/env bash
# node-schedule 2.1.1 and node-cron 4.6.0: a job at 02:30 and one of each hour when the clock goes back.
# Guess: 02:30 is run once, and each hour that elapses once, as croner and cron do.
# Seen: node-schedule runs 02:30 twice, an hour apart. node-cron does not run in the first of the two hours, so that the job
# of each hour pauses for two.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 node-schedule@2.1.1 node-cron@4.6.0
cat > run.mjs <<'CODE'
import { mock } from 'node:test'
import cron from 'node-cron'
import schedule from 'node-schedule'

const [from, to] = [new Date('2026-10-24T21:10:00Z'), new Date('2026-10-25T03:10:00Z')]
const show = (name, runs) => console.log(`${name}:`, ...runs.map((run) => run.toISOString().slice(11, 16)))
const jobs = { '30 2 * * *': { hour: 2, minute: 30 }, '0 * * * *': { minute: 0 } }
for (const [text, parts] of Object.entries(jobs)) {
  const rule = Object.assign(new schedule.RecurrenceRule(), { ...parts, tz: 'Europe/Berlin' })
  const runs = [from]
  while (runs.at(-1) < to) runs.push(new Date(+rule.nextInvocationDate(runs.at(-1))))
  show(`${text} node-schedule`, runs.slice(1, -1))
}
const soon = setImmediate
mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: from })
const ran = Object.keys(jobs).map((text) => {
  const runs = []
  cron.schedule(text, () => void runs.push(new Date()), { timezone: 'Europe/Berlin' })
  return [text, runs]
})
while (Date.now() < to) {
  mock.timers.tick(30_000)
  await new Promise((resolve) => soon(resolve))
}
for (const [text, runs] of ran) show(`${text} node-cron`, runs)
process.exit()
CODE
TZ=UTC timeout 60 node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
30 2 * * * node-schedule: 00:30 01:30
0 * * * * node-schedule: 22:00 23:00 00:00 01:00 02:00 03:00
30 2 * * * node-cron: 01:30
0 * * * * node-cron: 22:00 23:00 01:00 02:00 03:00
SEEN
echo 'As described.'
