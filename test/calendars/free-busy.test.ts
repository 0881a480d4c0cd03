import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { wantsChannel } from '../../src/calendars/channels/wants-channel.ts'
import { openFreeBusy } from '../../src/calendars/client/free-busy.ts'
import { call } from '../support/app.ts'
import { answerConsent } from '../support/consent.ts'
import {
  book,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
  openStarts,
} from '../support/factories.ts'
import { visit } from '../support/pages.ts'
import { openWorld } from '../support/world.ts'
import { settingsOf } from '../support/world-account.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const SLOT = dayFromNow(3) + 10 * HOUR_MS
const [google, microsoft] = [openWorld('google'), openWorld('microsoft')]
Object.assign(env, settingsOf('calendar_a', google.base), settingsOf('calendar_b', microsoft.base))

async function connect(suite: 'calendar_a' | 'calendar_b', key: string, email: string, query = '') {
  const { body } = await call('GET', `/v1/calendars/${suite}/connect${query}`, { key })
  const world = suite === 'calendar_a' ? google : microsoft
  await answerConsent(visit, await world.consent(body.url, email))
}

async function calendarsOf(key: string): Promise<any[]> {
  const { body } = await call('GET', '/v1/calendars/accounts', { key })
  return body.data[0].calendars.map((one: any) => ({ ...one, account_id: body.data[0].id }))
}

const add = (key: string, { account_id, external_id }: any, more = {}) =>
  call('POST', '/v1/calendars', { key, body: { account_id, external_id, ...more } })

const timed = (start: number) => ({
  summary: 'Dentist',
  start: { dateTime: iso(start) },
  end: { dateTime: iso(start + HOUR_MS) },
})

describe('a calendar of Google that is shared as free/busy only', () => {
  it('is listed, wants a permission of its own, and then blocks time', async () => {
    const { liveKey: key } = await createOrganization()
    const email = `${crypto.randomUUID()}@example.com`
    await connect('calendar_a', key, email)
    const { id } = await google.addCalendar({ name: 'Kim', accessRole: 'freeBusyReader' }, email)
    await google.seed([timed(SLOT)], email, id)
    const shared = (await calendarsOf(key)).find(({ name }) => name === 'Kim')
    expect(shared).toMatchObject({ can_write: false, reads: 'free_busy', connection_id: null })
    expect((await calendarsOf(key))[0]).toMatchObject({ reads: 'events', owner: null })

    const refused = await add(key, shared)
    expect([refused.status, refused.body.error.code]).toEqual([400, 'bad_request'])
    expect(refused.body.error.message).toContain('free_busy=true')

    await connect('calendar_a', key, email, '?free_busy=true')
    expect((await add(key, shared, { receives_bookings: true })).status).toBe(400)
    const added = await add(key, shared)
    expect([added.status, added.body.error?.message]).toEqual([201, undefined])
    const { id: eventTypeId } = await createEventType(key)
    const isOpen = async () => (await openStarts(eventTypeId, SLOT)).includes(iso(SLOT))
    expect(await isOpen()).toBe(false)

    // Its account is opened by its object now: polls and bookings ask the same way.
    await google.seed([timed(SLOT + 2 * HOUR_MS)], email, id)
    const late = await book(eventTypeId, SLOT + 2 * HOUR_MS)
    expect([late.status, late.body.error?.code]).toEqual([409, 'conflict'])
    await call('POST', `/v1/calendars/${added.body.id}/sync`, { key })
    await vi.waitFor(async () =>
      expect(await openStarts(eventTypeId, SLOT)).not.toContain(iso(SLOT + 2 * HOUR_MS)),
    )
    const { body: list } = await call('GET', '/v1/calendars', { key })
    expect(list.data.map((one: any) => one.sync_error)).toEqual([null, null])
    expect((await google.look()).calls!.map(({ path }: any) => path)).toContain('/calendar/v3/freeBusy')
  })

  it('asks for what was permitted before, too, whatever is asked for now', async () => {
    const { liveKey: key } = await createOrganization()
    const scopesOf = async (query: string) => {
      const { body } = await call('GET', `/v1/calendars/calendar_a/connect${query}`, { key })
      const { searchParams } = new URL(body.url)
      return [searchParams.get('scope')!.split('.').at(-1), searchParams.get('include_granted_scopes')]
    }
    expect(await scopesOf('')).toEqual(['readonly', 'true'])
    expect(await scopesOf('?free_busy=false')).toEqual(['readonly', 'true'])
    expect(await scopesOf('?free_busy=true')).toEqual(['freebusy', 'true'])
    const wrong = await call('GET', '/v1/calendars/calendar_a/connect?free_busy=yes', { key })
    expect(Object.keys(wrong.body.error.details)).toEqual(['free_busy'])
  })
})

describe('a calendar of Microsoft that is shared as free/busy only', () => {
  it('is listed and blocks time, by the schedule of its owner', async () => {
    const { liveKey: key } = await createOrganization()
    const email = `${crypto.randomUUID()}@example.com`
    await connect('calendar_b', key, email)
    const shared = { name: 'Kim', ownerMail: 'kim@example.com', isFreeBusyOnly: true }
    const { id } = await microsoft.addCalendar(shared, email)
    const readable = { name: 'Lee', ownerMail: 'lee@example.com', canWrite: false }
    await microsoft.addCalendar(readable, email)
    const at = (ms: number) => ({ dateTime: iso(ms).slice(0, 19), timeZone: 'UTC' })
    await microsoft.seed([{ subject: 'Dentist', start: at(SLOT), end: at(SLOT + HOUR_MS) }], email, id)
    const calendars = await calendarsOf(key)
    expect(calendars.map(({ name, reads, owner }) => [name, reads, owner]).slice(1)).toEqual([
      ['Kim', 'free_busy', 'kim@example.com'],
      ['Lee', 'events', 'lee@example.com'],
    ])
    expect((await add(key, calendars[1])).status).toBe(201)
    const { id: eventTypeId } = await createEventType(key)
    const starts = await openStarts(eventTypeId, SLOT)
    expect([starts.includes(iso(SLOT)), starts.includes(iso(SLOT + HOUR_MS))]).toEqual([false, true])
    const next = { subject: 'Call', start: at(SLOT + HOUR_MS), end: at(SLOT + 2 * HOUR_MS) }
    await microsoft.seed([next], email, id)
    const late = await book(eventTypeId, SLOT + HOUR_MS)
    expect(late.status).toBe(409)
  })
})

describe('free and busy times', () => {
  const window = { start: SLOT, end: SLOT + 400 * DAY_MS }
  const none = { cursor: null, etags: async () => new Map<string, string>() }

  it('are read in pieces that providers take, and busy time across them is one', async () => {
    const asked: number[] = []
    const client = openFreeBusy(async ({ start, end }) => {
      asked.push((end - start) / DAY_MS)
      return [{ start, end }]
    })
    const events = await client.listEvents(window)
    expect(events.map(({ time }) => time)).toEqual([window])
    expect(Math.max(...asked)).toBeLessThan(62)
    expect(asked).toHaveLength(8)
  })

  it('bring no news while they are the same, and only what differs otherwise', async () => {
    const busy = [{ start: SLOT, end: SLOT + HOUR_MS }]
    const client = openFreeBusy(async (range) =>
      busy.filter(({ start }) => start >= range.start && start < range.end),
    )
    const first = await client.listChanges(window, none)
    expect([first.changed.length, first.isComplete]).toEqual([1, true])
    const etags = async () => new Map(first.changed.map(({ id, etag }) => [id, etag!]))
    const later = { start: window.start + HOUR_MS, end: window.end + HOUR_MS }
    const same = await client.listChanges(later, { cursor: first.cursor, etags })
    expect([same.changed, same.gone, same.cursor]).toEqual([[], [], first.cursor])
    busy.push({ start: SLOT + 3 * HOUR_MS, end: SLOT + 4 * HOUR_MS })
    const more = await client.listChanges(later, { cursor: first.cursor, etags })
    expect([more.changed.length, more.gone, more.isComplete]).toEqual([1, [], false])
    busy.shift()
    const gone = await client.listChanges(later, { cursor: more.cursor, etags })
    expect(gone.gone).toEqual([first.changed[0]!.id])
  })

  it('are not written to, and no channel reports their changes', async () => {
    const client = openFreeBusy(async () => [])
    await expect(client.removeEvent('x')).rejects.toThrow('Only free and busy times')
    const connection = { status: 'active', checksBusy: true, receivesBookings: false } as const
    const metadata = {
      preset: 'calendar_a',
      server_url: '',
      auth_method: 'oauth2',
      calendar_url: '',
    } as const
    const told = { ...env, PUBLIC_URL: 'https://holdfast.example.com' }
    const wants = (providerMetadata: typeof metadata & { reads?: 'free_busy' }) =>
      wantsChannel(told, { ...connection, provider: 'calendar_a', providerMetadata })
    expect([wants(metadata), wants({ ...metadata, reads: 'free_busy' })]).toEqual([true, false])
  })
})
