#!/usr/bin/env bash
# Local D1 (miniflare 5.20261102.0-beta): every number that is bound is REAL, whole ones too.
# Guess: 5 is bound as INTEGER. Seen: typeof says real, 5 / 2 is 2.5 where the literal gives 2, and a text that is joined with it
# ends in ".0". Columns with INTEGER affinity turn it back, so only expressions show it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 miniflare@5.20261102.0-beta
cat > run.mjs <<'CODE'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'

const options = { modules: true, compatibilityDate: '2026-11-01', d1Databases: ['DB'], script: 'export default {}' }
const runtime = new Miniflare(convertV4MiniflareOptions(options))
const database = await runtime.getD1Database('DB')
const ask = (sql, ...values) => database.prepare(sql).bind(...values).first()
console.log(JSON.stringify(await ask("SELECT typeof(5) AS type, 5 / 2 AS half, 'n' || 5 AS text")))
console.log(JSON.stringify(await ask("SELECT typeof(?) AS type, ? / 2 AS half, 'n' || ? AS text", 5, 5, 5)))
await runtime.dispose()
CODE
node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
{"type":"integer","half":2,"text":"n5"}
{"type":"real","half":2.5,"text":"n5.0"}
SEEN
echo 'As described.'
