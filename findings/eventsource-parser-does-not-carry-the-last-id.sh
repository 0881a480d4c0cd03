#!/usr/bin/env bash
# eventsource-parser 4.1.3, which readers of streams of agents use: the id of events after one that had an id.
# Guess: as with EventSource, the last id goes on until a new one comes, because it names where to resume.
# Seen: the id of an event that sends none is undefined, so a client that resumes after the id of its last event begins anew. A
# field that is not known, which the standard ignores, calls `onError`. EventSource of eventsource 5.1.5 carries the id.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 eventsource-parser@4.1.3 eventsource@5.1.5
cat > run.mjs <<'CODE'
import { createServer } from 'node:http'
import { EventSource } from 'eventsource'
import { createParser } from 'eventsource-parser'
const text = 'id: 7\ndata: a\n\ndata: b\ncolor: red\n\nid\ndata: c\n\n'
const parser = createParser({
  onEvent: ({ id, data }) => console.log('parser', data, JSON.stringify(id)),
  onError: ({ type }) => console.log('parser', type),
})
parser.feed(text)
const server = createServer((_, response) => response.writeHead(200, { 'Content-Type': 'text/event-stream' }).end(text))
await new Promise((done) => server.listen(0, '127.0.0.1', done))
const source = new EventSource(`http://127.0.0.1:${server.address().port}`)
source.onmessage = ({ data, lastEventId }) => console.log('EventSource', data, JSON.stringify(lastEventId))
await new Promise((done) => (source.onerror = done))
source.close()
server.close()
CODE
node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
parser a "7"
parser unknown-field
parser b undefined
parser c ""
EventSource a "7"
EventSource b "7"
EventSource c ""
SEEN
echo 'As described.'
