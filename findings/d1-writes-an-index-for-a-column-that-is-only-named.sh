#!/usr/bin/env bash
# Local D1 (miniflare 5.20261102.0-beta): an UPDATE that names an indexed column writes its index though the value stays.
# Guess: SQLite leaves an index alone when the new value equals the old one, so that only one row is written. Seen: rows_written
# counts the index entry too, for a plain index and for a partial one. Leave out of SET what does not change.
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
const run = async (sql) => (await database.prepare(sql).run()).meta.rows_written
await run('CREATE TABLE t (id INTEGER PRIMARY KEY, state TEXT, tries INTEGER)')
await run('CREATE INDEX by_state ON t (state)')
await run("INSERT INTO t VALUES (1, 'due', 0)")
console.log('not named:', await run('UPDATE t SET tries = 1'))
console.log('named, unchanged:', await run("UPDATE t SET tries = 2, state = 'due'"))
console.log('named, by itself:', await run('UPDATE t SET tries = 3, state = state'))
await runtime.dispose()
CODE
node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
not named: 1
named, unchanged: 2
named, by itself: 2
SEEN
echo 'As described.'
