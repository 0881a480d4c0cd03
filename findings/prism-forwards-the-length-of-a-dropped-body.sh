#!/usr/bin/env bash
# @stoplight/prism-cli 5.16.0: its proxy drops a JSON body of `null`, `false`, `0` or `""`, and forwards the body's Content-Length.
# Guess: a proxy forwards the bytes that it received. Seen: it parses the body and sends what is truthy. The upstream server
# takes the beginning of the next request on the connection for the missing body, and that innocent request is answered with an
# empty 400. A server that closes each connection after its response is not affected.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 @stoplight/prism-cli@5.16.0
cat > openapi.json <<'DOCUMENT'
{ "openapi": "3.1.0", "info": { "title": "Things", "version": "1" },
  "paths": { "/things": {
    "get": { "responses": { "200": { "description": "Done." } } },
    "patch": {
      "requestBody": { "content": { "application/json": { "schema": {} } } },
      "responses": { "200": { "description": "Done." } } } } } }
DOCUMENT
cat > run.mjs <<'CODE'
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

const listen = (server) => new Promise((done) => server.listen(0, '127.0.0.1', () => done(server.address().port)))
for (const [name, headers] of [['kept', {}], ['closed', { Connection: 'close' }]]) {
  const upstream = createServer((_, response) => response.writeHead(200, headers).end('well'))
  const free = createServer()
  const port = await listen(free)
  await new Promise((done) => free.close(done))
  const url = `http://127.0.0.1:${await listen(upstream)}`
  const args = ['node_modules/@stoplight/prism-cli/dist/index.js', 'proxy', 'openapi.json', url, '--port', port]
  const prism = spawn(process.execPath, args, { stdio: 'ignore' })
  const ask = (init) => fetch(`http://127.0.0.1:${port}/things`, init)
  for (let tries = 0; tries < 300 && !(await ask().catch(() => null)); tries++) await sleep(100)
  await ask({ method: 'PATCH', headers: { 'Content-Type': 'application/json' }, body: 'null' })
  const next = await ask()
  console.log(`${name}: ${next.status} "${await next.text()}"`)
  prism.kill()
  upstream.closeAllConnections()
  upstream.close()
}
process.exit()
CODE
node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
kept: 400 ""
closed: 200 "well"
SEEN
echo 'As described.'
