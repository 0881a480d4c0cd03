#!/usr/bin/env bash
# aws-cron-parser 1.1.12: EventBridge schedules of a day that some months lack.
# Guess: months without the day are left out, as EventBridge does. Seen: the 31st becomes 3 March, 1 May and 1 July, 29 February becomes
# 1 March, and the last day of a month (`L`) is right.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 aws-cron-parser@1.1.12
cat > run.mjs <<'CODE'
import { createRequire } from 'node:module'

const parser = createRequire(import.meta.url)('aws-cron-parser')
const { parse, next } = parser.default ?? parser
for (const text of ['0 9 31 * ? *', '0 9 29-30 * ? *', '0 9 29 2 ? *', '0 9 L * ? *']) {
  const runs = [new Date('2026-01-01T00:00:00Z')]
  while (runs.length < 6) runs.push(next(parse(text), runs.at(-1)))
  console.log(`${text}:`, ...runs.slice(1).map((run) => run.toISOString().slice(0, 10)))
}
CODE
TZ=UTC node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
0 9 31 * ? *: 2026-01-31 2026-03-03 2026-03-31 2026-05-01 2026-05-31
0 9 29-30 * ? *: 2026-01-29 2026-01-30 2026-03-01 2026-03-29 2026-03-30
0 9 29 2 ? *: 2026-03-01 2027-03-01 2028-02-29 2029-03-01 2030-03-01
0 9 L * ? *: 2026-01-31 2026-02-28 2026-03-31 2026-04-30 2026-05-31
SEEN
echo 'As described.'
