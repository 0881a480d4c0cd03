/** The accounts of every Radicale that tests start. */
export const CALDAV_USERS = {
  ada: { username: 'ada@example.com', password: 'ada’s secret: ü' },
  grace: { username: 'grace', password: 'hopper' },
  edith: { username: 'edith', password: 'clarke' },
  /** Whoever looks through all calendars of an account, and whoever fills one with thousands, has an account to themselves. */
  hedy: { username: 'hedy', password: 'lamarr' },
  mary: { username: 'mary', password: 'somerville' },
} as const

export type CaldavUser = { readonly username: string; readonly password: string }

function authorization({ username, password }: CaldavUser): string {
  const octets = new TextEncoder().encode(`${username}:${password}`)
  return `Basic ${btoa(String.fromCharCode(...octets))}`
}

async function dav(user: CaldavUser, method: string, url: string, body?: string, type = 'application/xml') {
  const response = await fetch(url, {
    method,
    headers: { Authorization: authorization(user), 'Content-Type': `${type}; charset=utf-8` },
    ...(body === undefined ? {} : { body }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`)
  return response
}

/** A calendar of the user on a Radicale; the answer is its URL. */
export async function makeCalendar(
  server: string,
  user: CaldavUser,
  name: string,
  components: readonly string[] = ['VEVENT'],
): Promise<string> {
  const url = `${server}/${encodeURIComponent(user.username)}/${name}/`
  const set = components.map((component) => `<C:comp name="${component}"/>`).join('')
  await dav(
    user,
    // The runtime knows no MKCALENDAR; this is the same (RFC 5689).
    'MKCOL',
    url,
    `<D:mkcol xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:set><D:prop><D:resourcetype><D:collection/><C:calendar/></D:resourcetype><D:displayname>${name}</D:displayname><C:supported-calendar-component-set>${set}</C:supported-calendar-component-set></D:prop></D:set></D:mkcol>`,
  )
  return url
}

/** Puts an event as another program would; `lines` are those of its VEVENT but UID and DTSTAMP. */
export async function putEvent(
  calendarUrl: string,
  user: CaldavUser,
  uid: string,
  ...lines: readonly string[]
): Promise<string> {
  const url = `${calendarUrl}${encodeURIComponent(uid)}.ics`
  const event = ['BEGIN:VEVENT', `UID:${uid}`, 'DTSTAMP:20260101T000000Z', ...lines, 'END:VEVENT']
  const text = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Test//EN', ...event, 'END:VCALENDAR', '']
  await dav(user, 'PUT', url, text.join('\r\n'), 'text/calendar')
  return url
}

/** Puts a whole iCalendar text in place of a calendar. */
export async function putCalendar(url: string, user: CaldavUser, text: string): Promise<void> {
  await dav(user, 'PUT', url, text, 'text/calendar')
}

export async function deleteResource(url: string, user: CaldavUser): Promise<void> {
  await dav(user, 'DELETE', url)
}

export async function getResource(url: string, user: CaldavUser): Promise<string> {
  const response = await fetch(url, { headers: { Authorization: authorization(user) } })
  return response.text()
}
