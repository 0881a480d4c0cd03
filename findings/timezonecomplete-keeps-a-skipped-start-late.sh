#!/usr/bin/env bash
# timezonecomplete 5.15.1: a Period of a week or a day in regular local time whose start a clock change skips once.
# Guess: the skipped 02:30 becomes 03:30, and the next week is at 02:30 again, as without the change.
# Seen: `findNext` of one start after the other stays at 03:30 from that night on, an hour late for ever, although 02:30 is still
# a boundary of the same period, and `findFirst` in July finds it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 timezonecomplete@5.15.1 tzdata@1.0.51
cat > run.mjs <<'CODE'
import tc from 'timezonecomplete'

const at = (text) => new tc.DateTime(text, tc.zone('Europe/Berlin'))
const show = (time) => time.toIsoString().slice(5, 16)
for (const [name, unit, start] of [['daily', tc.TimeUnit.Day, '2026-03-28T02:30:00'], ['weekly', tc.TimeUnit.Week, '2026-03-22T02:30:00']]) {
  const period = new tc.Period(at(start), 1, unit, tc.PeriodDst.RegularLocalTime)
  const starts = [at(start)]
  while (starts.length < 5) starts.push(period.findNext(starts.at(-1)))
  console.log(name, ...starts.map(show))
  console.log(name, 'first in July:', show(period.findFirst(at('2026-07-05T00:00:00'))))
  console.log(name, 'boundary in July at 02:30:', period.isBoundary(at('2026-07-05T02:30:00')))
}
CODE
TZ=UTC node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
daily 03-28T02:30 03-29T03:30 03-30T03:30 03-31T03:30 04-01T03:30
daily first in July: 07-05T02:30
daily boundary in July at 02:30: true
weekly 03-22T02:30 03-29T03:30 04-05T03:30 04-12T03:30 04-19T03:30
weekly first in July: 07-05T02:30
weekly boundary in July at 02:30: true
SEEN
echo 'As described.'
