#!/usr/bin/env bash
# tsdav 2.3.4: `fetchCalendarObjects` without options.
# Guess: it returns every event that the calendar's query lists; RFC 4791, section 5.3, leaves names to the client.
# Seen: it requests only those whose address has `.ics` in it. The others are missing, without an error.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 tsdav@2.3.4
cat > run.mjs <<'CODE'
import { createServer } from 'node:http'
import { fetchCalendarObjects } from 'tsdav'

const event = 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:a\r\nDTSTAMP:20260101T000000Z\r\nDTSTART:20260310T100000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n'
const responseOf = (href) =>
  `<D:response><D:href>${href}</D:href><D:propstat><D:prop><D:getetag>"1"</D:getetag><C:calendar-data>${event}</C:calendar-data></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>`
const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  const isMultiget = body.includes('calendar-multiget')
  const named = [...body.matchAll(/href>([^<]+)</g)].map(([, href]) => href.trim()).filter(Boolean)
  const hrefs = isMultiget ? named : ['/work/a.ics', '/work/b', '/work/c.ics.old', '/work/d@x']
  console.log(isMultiget ? 'requested:' : 'listed:', ...hrefs)
  response.writeHead(207, { 'Content-Type': 'application/xml' })
  const all = hrefs.map(responseOf).join('')
  response.end(`<D:multistatus xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">${all}</D:multistatus>`)
}).listen(0, '127.0.0.1')
await new Promise((done) => server.once('listening', done))
const url = `http://127.0.0.1:${server.address().port}/work/`
const found = await fetchCalendarObjects({ calendar: { url } })
console.log('returned:', ...found.map((each) => new URL(each.url).pathname))
server.close()
server.closeAllConnections()
CODE
node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
listed: /work/a.ics /work/b /work/c.ics.old /work/d@x
requested: /work/a.ics /work/c.ics.old
returned: /work/a.ics /work/c.ics.old
SEEN
echo 'As described.'
