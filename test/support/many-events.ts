import { createCaldavClient } from '../../src/calendars/caldav/caldav-client.ts'
import { SignIn } from '../../src/calendars/caldav/sign-in.ts'

/** A series that happens never, but is looked for on each day of five centuries. */
export const HOSTILE = [
  'DTSTART:15000101T000000Z',
  'DTEND:15000101T010000Z',
  'RRULE:FREQ=DAILY;COUNT=100000;BYMONTH=2;BYMONTHDAY=30',
]

/** A server with that many events of one kind, whose client tells how many it asked for. */
export function manyEvents(count: number, lines: readonly string[]) {
  const asked = { events: 0 }
  const client = createCaldavClient({
    fetch: async (_url, init) => {
      const body = String(init?.body)
      const hrefs = [...body.matchAll(/<D:href>([^<]*)/g)].map(([, href]) => href!)
      asked.events += hrefs.length
      const names = body.includes('calendar-query')
        ? Array.from({ length: count }, (_, at) => `/cal/${at}.ics`)
        : hrefs
      const text = (href: string) =>
        ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', `UID:${href}`, ...lines, 'END:VEVENT', 'END:VCALENDAR'].join('\n')
      const responses = names.map(
        (href) =>
          `<response><href>${href}</href><propstat><status>HTTP/1.1 200 OK</status><prop><getetag>"1"</getetag><C:calendar-data>${text(href)}</C:calendar-data></prop></propstat></response>`,
      )
      const xml = `<multistatus xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">${responses.join('') || '<response><href>/cal/</href><propstat><prop/><status>HTTP/1.1 200 OK</status></propstat></response>'}</multistatus>`
      return new Response(xml, { status: 207, headers: { 'Content-Type': 'application/xml' } })
    },
    url: 'https://caldav.example.com/cal/',
    signIn: new SignIn({ username: 'grace', password: 'secret', scheme: 'basic' }),
    ownerAddresses: [],
    timeZone: 'Europe/Berlin',
    mayReach: () => true,
    spellings: new Map(),
  })
  return { client, asked }
}
