#!/usr/bin/env bash
# @date-fns/tz 1.5.0: what a TZDate makes of a text without an offset, and of a wall time that is there twice.
# Guess: the zone that is given beside the text is that of the text, and of two equal hours the first is meant, as with Date and
# Temporal.
# Seen: the text is read in the zone of the process, and a date alone as UTC; the zone is only for display. Numbers are read in
# the zone, but which of two equal hours they mean depends on the zone of the process.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 @date-fns/tz@1.5.0
cat > run.mjs <<'CODE'
import { TZDate } from '@date-fns/tz'
const show = (name, date) => console.log(name, new Date(+date).toISOString())
show('text       ', new TZDate('2026-11-29T09:00:00', 'Europe/Berlin'))
show('date       ', new TZDate('2026-11-29', 'Europe/Berlin'))
show('numbers    ', new TZDate(2026, 10, 29, 9, 0, 'Europe/Berlin'))
show('twice      ', new TZDate(2026, 9, 25, 2, 30, 'Europe/Berlin'))
show('twice, Date', new Date(2026, 9, 25, 2, 30))
CODE
for zone in Europe/Berlin America/New_York; do
  echo "process in $zone"
  TZ=$zone node_modules/.bin/node run.mjs
done > seen.txt
diff --unified - seen.txt <<'SEEN'
process in Europe/Berlin
text        2026-11-29T08:00:00.000Z
date        2026-11-29T00:00:00.000Z
numbers     2026-11-29T08:00:00.000Z
twice       2026-10-25T00:30:00.000Z
twice, Date 2026-10-25T00:30:00.000Z
process in America/New_York
text        2026-11-29T14:00:00.000Z
date        2026-11-29T00:00:00.000Z
numbers     2026-11-29T08:00:00.000Z
twice       2026-10-25T01:30:00.000Z
twice, Date 2026-10-25T06:30:00.000Z
SEEN
echo 'As described.'
