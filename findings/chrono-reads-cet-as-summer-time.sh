#!/usr/bin/env bash
# chrono-node 2.10.3: an abbreviation of a zone that is written beside a date.
# Guess: CET is an hour ahead of UTC and EST five hours behind on every date, because CEST and EDT are there for the summer.
# Seen: CET in July is read as CEST, an hour earlier than written. EET, WET and EST in July stay as written.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 chrono-node@2.10.3
cat > run.mjs <<'CODE'
import { parseDate } from 'chrono-node'
const now = new Date('2026-01-01T00:00:00Z')
for (const zone of ['CET', 'CEST', 'EET', 'WET', 'EST', 'EDT', 'ET', 'PST', 'GMT', 'BST'])
  console.log('1 July 2026 at 9:00', zone, parseDate(`1 July 2026 at 9:00 ${zone}`, now)?.toISOString())
CODE
TZ=UTC node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
1 July 2026 at 9:00 CET 2026-07-01T07:00:00.000Z
1 July 2026 at 9:00 CEST 2026-07-01T07:00:00.000Z
1 July 2026 at 9:00 EET 2026-07-01T07:00:00.000Z
1 July 2026 at 9:00 WET 2026-07-01T09:00:00.000Z
1 July 2026 at 9:00 EST 2026-07-01T14:00:00.000Z
1 July 2026 at 9:00 EDT 2026-07-01T13:00:00.000Z
1 July 2026 at 9:00 ET 2026-07-01T13:00:00.000Z
1 July 2026 at 9:00 PST 2026-07-01T17:00:00.000Z
1 July 2026 at 9:00 GMT 2026-07-01T09:00:00.000Z
1 July 2026 at 9:00 BST 2026-07-01T08:00:00.000Z
SEEN
echo 'As described.'
