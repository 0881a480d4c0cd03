#!/usr/bin/env bash
# @stoplight/prism-cli 5.16.0: a request of `application/json` whose body cannot be parsed is never answered.
# Guess: 400, or a violation in `sl-violations`. Seen: the connection stays open without a byte; other requests are answered.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill $prism 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 @stoplight/prism-cli@5.16.0
cat > document.json <<'DOCUMENT'
{
  "openapi": "3.1.0",
  "info": { "title": "Things", "version": "1" },
  "paths": {
    "/things": {
      "post": {
        "requestBody": { "content": { "application/json": { "schema": { "type": "object" } } } },
        "responses": { "204": { "description": "Done." } }
      }
    }
  }
}
DOCUMENT
port=$((20000 + RANDOM % 20000))
node_modules/.bin/node node_modules/@stoplight/prism-cli/dist/index.js mock document.json --port $port > log.txt 2>&1 &
prism=$!
until (echo > /dev/tcp/127.0.0.1/$port) 2> /dev/null; do sleep 0.2; done
cat > run.mjs <<'CODE'
for (const body of ['{}', '{bad', '{}']) {
  const sent = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body, signal: AbortSignal.timeout(5_000) }
  const told = await fetch(`http://127.0.0.1:${process.argv[2]}/things`, sent).then(({ status }) => status, ({ name }) => name)
  console.log(body, told)
}
CODE
node_modules/.bin/node run.mjs $port > seen.txt
diff --unified - seen.txt <<'SEEN'
{} 204
{bad TimeoutError
{} 204
SEEN
echo 'As described.'
