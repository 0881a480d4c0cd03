#!/usr/bin/env bash
# caldav-adapter 9.3.8, the CalDAV server of Forward Email, with koa 3.3.0.
# Guess: `/work/a%40b.ics` and `/work/a@b.ics` are one resource (RFC 3986, section 6.2.2.2) for every method.
# Seen: GET finds it by both. A multiget compares the name as it is written, so a client that encodes `@` reads that the event is gone.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 caldav-adapter@9.3.8 koa@3.3.0
cat > run.mjs <<'CODE'
import adapter from 'caldav-adapter'
import Koa from 'koa'

const calendar = { calendarId: 'work', name: 'Work', synctoken: 'https://example.com/1', readonly: false }
const events = new Map()
const known = (name) => events.get(name.replace(/\.ics$/, '')) ?? null
const data = {
  getCalendar: async () => calendar,
  getCalendarId: () => 'work',
  getEvent: async (_, { eventId }) => known(eventId),
  createEvent: async (ctx, { eventId }) => {
    events.set(eventId.replace(/\.ics$/, ''), { eventId, ical: ctx.request.body })
    return known(eventId)
  },
  buildICS: async (_, { ical }) => ical,
  getETag: () => '"1"',
}
const authenticate = async () => ({ principalId: 'ada', principalName: 'ada' })
const server = new Koa().use(adapter({ data, authenticate, authRealm: 'x' })).listen(0, '127.0.0.1')
await new Promise((done) => server.once('listening', done))

const Authorization = `Basic ${btoa('ada:x')}`
async function ask(method, path, type, body) {
  const headers = { Authorization, ...(type && { 'Content-Type': type }) }
  const response = await fetch(`http://127.0.0.1:${server.address().port}${path}`, { method, headers, body })
  return { status: response.status, text: await response.text() }
}
const event = 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:a@b\r\nDTSTAMP:20260101T000000Z\r\nDTSTART:20260310T100000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n'
console.log('PUT a%40b.ics', (await ask('PUT', '/cal/ada/work/a%40b.ics', 'text/calendar', event)).status)
for (const name of ['a%40b.ics', 'a@b.ics']) {
  const href = `/cal/ada/work/${name}`
  const body = `<C:calendar-multiget xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:prop><D:getetag/></D:prop><D:href>${href}</D:href></C:calendar-multiget>`
  const { text } = await ask('REPORT', '/cal/ada/work/', 'application/xml', body)
  console.log(name, 'GET', (await ask('GET', href)).status, 'multiget', /HTTP\/1.1 (\d+)/.exec(text)[1])
}
server.close()
CODE
node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
PUT a%40b.ics 201
a%40b.ics GET 200 multiget 404
a@b.ics GET 200 multiget 200
SEEN
echo 'As described.'
