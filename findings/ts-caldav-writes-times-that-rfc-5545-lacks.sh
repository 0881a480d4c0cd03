#!/usr/bin/env bash
# ts-caldav 0.3.7: the events that it writes to a CalDAV server, here a small one that keeps what it gets.
# Guess: an end of a rule is written as `20260901T000000Z`, a time with a zone as the wall time there, and an event that was read
# is written back with the same length.
# Seen: the end of the rule has the dashes of ISO 8601, and Radicale refuses it. A time with a zone has the clock of UTC with a Z
# beside the TZID. A whole day that is read and written back is a day longer.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 ts-caldav@0.3.7
cat > run.mjs <<'CODE'
import { createServer } from 'node:http'
import { CalDAVClient } from 'ts-caldav'

const day = ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'UID:a', 'DTSTART;VALUE=DATE:20260701', 'DTEND;VALUE=DATE:20260702', 'END:VEVENT', 'END:VCALENDAR', '']
const put = []
const found = (asked) => {
  if (asked.includes('current-user-principal')) return '<current-user-principal><href>/me/</href></current-user-principal>'
  if (asked.includes('calendar-home-set')) return '<C:calendar-home-set><href>/home/</href></C:calendar-home-set>'
  if (asked.includes('calendar-data')) return `<getetag>"1"</getetag><C:calendar-data>${day.join('\r\n')}</C:calendar-data>`
  return '<resourcetype><collection/><C:calendar/></resourcetype>'
}
const server = createServer(async (request, response) => {
  const asked = Buffer.concat(await request.toArray()).toString()
  if (request.method === 'PUT') {
    put.push(asked)
    return response.writeHead(201, { ETag: '"1"' }).end()
  }
  const props = `<propstat><prop>${found(asked)}</prop><status>HTTP/1.1 200 OK</status></propstat>`
  response.writeHead(207, { 'Content-Type': 'application/xml' })
  response.end(`<multistatus xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><response><href>/home/a.ics</href>${props}</response></multistatus>`)
})
await new Promise((done) => server.listen(0, '127.0.0.1', done))
const baseUrl = `http://127.0.0.1:${server.address().port}`
const client = await CalDAVClient.create({ baseUrl, auth: { type: 'basic', username: 'u', password: 'p' } })
const [start, end] = [new Date('2026-07-06T09:00:00Z'), new Date('2026-07-06T10:00:00Z')]
await client.createEvent('/home/', { summary: 'rule', start, end, recurrenceRule: { freq: 'WEEKLY', until: new Date('2026-09-01T00:00:00Z') } })
await client.createEvent('/home/', { summary: 'zone', start, end, startTzid: 'Europe/Berlin', endTzid: 'Europe/Berlin' })
const [read] = await client.getEvents('/home/', { all: true })
await client.createEvent('/home/', { ...read, summary: 'day' })
for (const text of put) console.log(text.split(/\r?\n/).filter((line) => /^(DTSTART|DTEND|RRULE|SUMMARY)/.test(line)).join(' '))
server.close()
CODE
TZ=UTC node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
DTSTART:20260706T090000Z DTEND:20260706T100000Z SUMMARY:rule RRULE:FREQ=WEEKLY;UNTIL=2026-09-01T00:00:00Z
DTSTART;TZID=Europe/Berlin:20260706T090000Z DTEND;TZID=Europe/Berlin:20260706T100000Z SUMMARY:zone
DTSTART;VALUE=DATE:20260701 DTEND;VALUE=DATE:20260703 SUMMARY:day
SEEN
echo 'As described.'
