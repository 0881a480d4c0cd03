import { DAY_MS, HOUR_MS } from '../core/time-units.ts'
import type { Api } from './api.ts'
import { COLLEAGUES, DEMO_ORGANIZATION, INVITEES, OWNER_NAME, PAID_EVENT_TYPE } from './demo.ts'
import { type EventType, ensureEventType, listEventTypes } from './demo-event-types.ts'

const DAYS = 14
/** How far into the past a key can book. */
const PAST_MS = 23 * HOUR_MS
const PAST_BOOKINGS = 3

type Booked = {
  readonly id: string
  readonly attendees: readonly { readonly id: string }[]
  readonly payment: { readonly id: string } | null
}
type Member = { readonly id: string; readonly user_id: string; readonly name: string | null }

/** Two weeks of bookings, if the demo has no upcoming booking: the first start, or the first one after those weeks. */
export async function fillDemo(
  operator: Api,
  live: Api,
  organizationId: string,
  eventTypes: readonly EventType[],
): Promise<void> {
  const now = Date.now()
  const upcoming = `/v1/bookings?limit=1&start_after=${new Date(now).toISOString()}`
  if ((await live.need<{ data: unknown[] }>('GET', upcoming)).data.length > 0) return
  const [intro, session, group, review] = eventTypes
  await ensureHosts(live, session!, await ensureTeam(operator, live, organizationId))
  const book = bookerOf(live)
  await bookPast(live, book, intro!, now)
  for (const [at, slot] of (await openSlots(live, intro!, now)).entries()) {
    if (at % 23 === 7) await book(intro!, slot)
  }
  for (const [at, slot] of (await openSlots(live, session!, now)).entries()) {
    if (at % 13 === 3) await book(session!, slot)
  }
  for (const [at, slot] of (await openSlots(live, group!, now)).entries()) {
    for (let taken = 5 - at; taken > 0; taken -= 1) await book(group!, slot)
  }
  const [, requested] = await openSlots(live, review!, now)
  if (requested) await book(review!, requested)
}

/** A paid booking of the sandbox, where no provider is needed. */
export async function fillSandbox(sandbox: Api): Promise<void> {
  const eventType = await ensureEventType(sandbox, await listEventTypes(sandbox), PAID_EVENT_TYPE)
  const { data } = await sandbox.need<{ data: unknown[] }>('GET', '/v1/bookings?limit=1')
  const [slot] = data.length > 0 ? [] : await openSlots(sandbox, eventType, Date.now())
  if (!slot) return
  const { payment } = await bookerOf(sandbox)(eventType, slot)
  if (payment) await sandbox.need('POST', `/v1/test-data/payments/${payment.id}/succeed`)
}

type Book = (eventType: EventType, start: string, more?: { override: string[] }) => Promise<Booked>

/** Books for one person after the other, without emails: nobody has asked for any. */
function bookerOf(api: Api): Book {
  let booked = 0
  return ({ id }, start_time, more) => {
    const invitee_name = INVITEES[booked++ % INVITEES.length]!
    const [first] = invitee_name.toLowerCase().split(' ')
    return api.need<Booked>('POST', '/v1/bookings', {
      event_type_id: id,
      start_time,
      invitee_name,
      invitee_email: `${first}@example.com`,
      invitee_timezone: DEMO_ORGANIZATION.timezone,
      notify: false,
      ...more,
    })
  }
}

/** Some that are over: one invitee did not come. */
async function bookPast(live: Api, book: Book, intro: EventType, now: number): Promise<void> {
  const hour = new Intl.DateTimeFormat('en', { hour: 'numeric', hourCycle: 'h23', timeZone: intro.timezone })
  const starts: string[] = []
  const last = Math.floor((now - HOUR_MS) / HOUR_MS) * HOUR_MS
  for (let start = last; start > now - PAST_MS && starts.length < PAST_BOOKINGS; start -= HOUR_MS) {
    const local = Number(hour.format(start))
    if (local >= 9 && local < 17) starts.push(new Date(start).toISOString())
  }
  for (const [at, start] of starts.entries()) {
    const { id, attendees } = await book(intro, start, { override: ['notice'] })
    const no_shows = at === 0 ? attendees.map((one) => one.id) : []
    await live.need('POST', `/v1/bookings/${id}/attendance`, { no_shows })
  }
}

async function openSlots(api: Api, { id, timezone }: EventType, now: number): Promise<string[]> {
  const [start, end] = [DAY_MS, DAYS * DAY_MS].map((ahead) =>
    new Date(now + ahead).toISOString().slice(0, 10),
  )
  const path = `/v1/availability?event_type_id=${id}&start=${start}&end=${end}&timezone=${timezone}`
  const { slots } = await api.need<{ slots: { start_time: string }[] }>('GET', path)
  return slots.map(({ start_time }) => start_time)
}

/** The owner and the colleagues, who get no emails about new bookings: they read none. */
async function ensureTeam(operator: Api, live: Api, organizationId: string): Promise<Member[]> {
  const path = `/v1/organizations/${organizationId}`
  const { data } = await live.need<{ data: Member[] }>('GET', `${path}/members`)
  const owner = data.find(({ user_id }) => user_id === DEMO_ORGANIZATION.owner_user_id)
  const team = owner ? [owner] : []
  if (owner && owner.name === null)
    await live.need('PATCH', `${path}/members/${owner.id}`, { name: OWNER_NAME })
  for (const { user_id, name } of COLLEAGUES) {
    const user_email = `${user_id}@example.com`
    let member = data.find((one) => one.user_id === user_id)
    if (!member) {
      const invitation = { email: user_email, role: 'member' }
      const { token } = await live.need<{ token: string }>('POST', `${path}/invitations`, invitation)
      const accepted = { token, user_id, user_email }
      member = await operator.need<Member>('POST', '/v1/invitations/accept', accepted)
      const changes = { name, notifications: { new: false } }
      await live.need('PATCH', `${path}/members/${member.id}`, changes)
    }
    team.push(member)
  }
  return team
}

async function ensureHosts(live: Api, eventType: EventType, team: readonly Member[]): Promise<void> {
  const path = `/v1/event-types/${eventType.id}/hosts`
  const { data } = await live.need<{ data: { member_id: string }[] }>('GET', path)
  for (const { id } of team) {
    if (!data.some(({ member_id }) => member_id === id)) await live.need('POST', path, { member_id: id })
  }
}
