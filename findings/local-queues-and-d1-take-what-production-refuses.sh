#!/usr/bin/env bash
# miniflare 5.20261102.0-beta beside the documented limits of production: some limits are played locally and some are not.
# Guess: a limit is played for all products or for none. Documented: a message of 128 KB, 100 messages a batch, a delay of 24 hours; a value of 2 MB.
# Seen: queues take 200 KB, 101 messages and 25 hours, and D1 takes a text of 3 MB; but D1 refuses 101 columns and a LIKE pattern
# of more than 50 bytes, as documented. Tests that run locally do not show the first four.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 miniflare@5.20261102.0-beta
cat > run.mjs <<'CODE'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'

const script = `
export default {
  async fetch(_, { DB, QUEUE }) {
    const acts = {
      'message of 200 KB': () => QUEUE.send('x'.repeat(200_000)),
      '101 messages': () => QUEUE.sendBatch(Array.from({ length: 101 }, () => ({ body: 1 }))),
      'delay of 25 hours': () => QUEUE.send(1, { delaySeconds: 90_000 }),
      'value of 3 MB': () => DB.prepare('SELECT length(?)').bind('x'.repeat(3_000_000)).first(),
      'pattern of 60 bytes': () => DB.prepare("SELECT 'x' LIKE ?").bind('y'.repeat(60)).first(),
      '101 columns': () => DB.prepare('CREATE TABLE wide (' + Array.from({ length: 101 }, (_, at) => 'c' + at) + ')').run(),
    }
    const lines = []
    for (const [name, act] of Object.entries(acts))
      lines.push(name + ': ' + (await act().then(() => 'taken', (error) => 'refused, ' + error.message)))
    return new Response(lines.join('\\n'))
  },
}`
const options = { modules: true, compatibilityDate: '2026-11-01', d1Databases: ['DB'], queueProducers: { QUEUE: 'queue' }, script }
const runtime = new Miniflare(convertV4MiniflareOptions(options))
console.log(await (await runtime.dispatchFetch('http://localhost/')).text())
await runtime.dispose()
CODE
node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
message of 200 KB: taken
101 messages: taken
delay of 25 hours: taken
value of 3 MB: taken
pattern of 60 bytes: refused, D1_ERROR: LIKE or GLOB pattern too complex: SQLITE_ERROR
101 columns: refused, D1_ERROR: too many columns on wide: SQLITE_ERROR
SEEN
echo 'As described.'
