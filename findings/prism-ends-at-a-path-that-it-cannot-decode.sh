#!/usr/bin/env bash
# @stoplight/prism-cli 5.16.0: a request whose path has a malformed percent escape ends the proxy.
# Guess: it answers 400 or a violation, and goes on. Seen: an uncaught URIError of `decodeURIComponent` ends the process, so every
# later request fails too.
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
    "/things/{id}": {
      "get": {
        "parameters": [{ "name": "id", "in": "path", "required": true, "schema": { "type": "string" } }],
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
for (const path of ['/things/one', '/things/%ff', '/things/one']) {
  const told = await fetch(`http://127.0.0.1:${process.argv[2]}${path}`).then(({ status }) => status, () => 'no answer')
  console.log(`${path} ${told}`)
}
CODE
node_modules/.bin/node run.mjs $port > seen.txt
grep -o '^URIError: URI malformed' log.txt >> seen.txt
diff --unified - seen.txt <<'SEEN'
/things/one 204
/things/%ff no answer
/things/one no answer
URIError: URI malformed
SEEN
echo 'As described.'
