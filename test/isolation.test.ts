import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { openRooms } from '../src/platform/http/room.ts'
import type { Route } from '../src/platform/http/route.ts'
import { rooms } from '../src/routes.ts'
import { type Answered, call } from './support/app.ts'
import { insertConnection } from './support/connections.ts'
import {
  book,
  bookingInput,
  createEventType,
  createKey,
  createOrganization,
  dayFromNow,
  type Organization,
  unique,
} from './support/factories.ts'
import { connectAccount } from './support/payments.ts'
import {
  asService,
  bearer,
  type HeaderMap,
  isOfBothModes,
  keyOf,
  MODES,
  type Mode,
  namesThing,
  needsOrganization,
  type Prepared,
  prepare,
  recipeOf,
} from './support/recipes.ts'

const HOUR_MS = 3_600_000
const SETTLED = { timeout: 20_000, interval: 100 }
const ANY_UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** One mode of one organization, with what only it has. */
type Side = {
  readonly name: string
  readonly organization: Organization
  readonly mode: Mode
  /** A word in everything that was made for this side. */
  readonly mark: string
  readonly eventTypeId: string
  readonly email: string
}

const ALL_HOURS = [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
  day_of_week,
  start_time: '00:00',
  end_time: '24:00',
}))

async function fill(name: string, organization: Organization, mode: Mode): Promise<Side> {
  const key = keyOf(organization, mode)
  const mark = unique(`${name}-${mode}`)
  const email = `${mark}@example.com`
  const { id } = await createEventType(key, { title: mark, waitlist_enabled: true })
  const guest = { invitee_name: mark, invitee_email: email }
  const first = await book(id, dayFromNow(3) + 9 * HOUR_MS, guest)
  const second = await book(id, dayFromNow(3) + 11 * HOUR_MS, guest)
  await call('POST', `/v1/bookings/${first.body.id}/cancel`, { key, body: { reason: mark } })
  await createKey(organization.id, mode, { name: mark })
  const asked = await call('POST', '/v1/support', {
    key,
    body: { subject: mark, message: mark, category: 'bug' },
  })
  const invite = (to: string, role: string) =>
    call('POST', `/v1/organizations/${organization.id}/invitations`, {
      headers: asService(organization, { 'X-Service-Mode': mode }),
      body: { email: to, role },
    })
  const invited = await invite(email, 'viewer')
  const joined = await invite(`member-${email}`, 'member')
  const accepted = await call('POST', '/v1/invitations/accept', {
    key: env.SERVICE_KEY,
    body: { token: joined.body.token, user_id: `member-${mark}`, user_email: `member-${email}` },
  })
  const endpoint = await call('POST', '/v1/webhooks', {
    key,
    body: { url: `https://${mark}.example.com/`, events: ['booking.created'] },
  })
  await insertConnection(organization, mode, { mark })
  await call('POST', '/v1/calendar-feeds', { key: organization.liveKey, body: {} })
  await call('POST', '/v1/resources', { key, body: { name: mark } })
  await call('POST', '/v1/schedules', {
    key,
    body: { name: mark, rules: ALL_HOURS, member_id: accepted.body.id, is_default: true },
  })
  const hosting = await call('POST', `/v1/event-types/${id}/hosts`, {
    key,
    body: { member_id: accepted.body.id },
  })
  const off = await call('POST', '/v1/time-off', {
    key,
    body: { member_ids: [accepted.body.id], start: '2030-12-24', end: '2030-12-26', reason: mark },
  })
  const waiting = await call('POST', '/v1/waitlist', {
    body: bookingInput(id, dayFromNow(3) + 11 * HOUR_MS, guest),
  })
  if (mode === 'live') await connectAccount(organization)
  const priced = await createEventType(key, { title: mark, price_amount: 5_000 })
  const paid = await book(priced.id, dayFromNow(3) + 9 * HOUR_MS, guest)
  const made = [second, asked, invited, joined, accepted, endpoint, hosting, off, waiting, paid]
  expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201, 200, 201, 201, 201, 201, 201])
  return { name: `${name} in ${mode} mode`, organization, mode, mark, eventTypeId: id, email }
}

/** Waits until the queue has done all that follows from what these organizations did. */
async function settle(...organizations: readonly Organization[]): Promise<void> {
  const left = env.DB.prepare(
    `SELECT (SELECT count(*) FROM events WHERE organization_id = ?1 AND handled_at IS NULL) +
      (SELECT count(*) FROM emails WHERE organization_id = ?1 AND status = 'pending') AS n`,
  )
  await vi.waitFor(async () => {
    for (const { id } of organizations) expect(await left.bind(id).first('n')).toBe(0)
  }, SETTLED)
}

type Filter = (other: Side) => string
type List = {
  /** Whose things it lists: one mode's, or the organization's in both modes alike. */
  readonly of: 'mode' | 'organization'
  /** The ids of what it lists, in its order, by `?1` the organization and `?2` whether it is test data. */
  readonly ids: string
  /** How each parameter of its query asks for another side's things; null where it names nothing of anybody's. */
  readonly filters?: Readonly<Record<string, Filter | null>>
  /** Its entries hold nothing that anybody wrote. */
  readonly isWordless?: boolean
}

/** Every list: a GET whose answer has `data`. */
const LISTS: Readonly<Record<string, List>> = {
  listMyOrganizations: {
    of: 'organization',
    ids: 'SELECT id FROM organizations WHERE id = ?1 AND ?2 IS NOT NULL',
  },
  listEventTypes: {
    of: 'mode',
    ids: 'SELECT id FROM event_types WHERE organization_id = ?1 AND is_test = ?2 ORDER BY id DESC',
    filters: { active: null, listed: null },
  },
  listBookings: {
    of: 'mode',
    ids: 'SELECT id FROM bookings WHERE organization_id = ?1 AND is_test = ?2 ORDER BY id DESC',
    filters: {
      status: null,
      event_type_id: ({ eventTypeId }) => eventTypeId,
      assigned_host_id: ({ eventTypeId }) => eventTypeId,
      invitee_email: ({ email }) => email,
      start_after: null,
      start_before: null,
      session_id: ({ eventTypeId }) => eventTypeId,
      series_id: ({ eventTypeId }) => eventTypeId,
      member_id: ({ eventTypeId }) => eventTypeId,
      q: ({ email }) => email,
      sort: null,
      expand: null,
    },
  },
  listWaitlist: {
    of: 'mode',
    ids: 'SELECT id FROM waitlist_entries WHERE organization_id = ?1 AND is_test = ?2 ORDER BY id DESC',
    filters: { event_type_id: ({ eventTypeId }) => eventTypeId, status: null },
  },
  listClients: {
    of: 'mode',
    ids: 'SELECT id FROM clients WHERE organization_id = ?1 AND is_test = ?2 ORDER BY id DESC',
    filters: { q: ({ email }) => email, sort: null },
  },
  listResources: {
    of: 'mode',
    ids: 'SELECT id FROM resources WHERE organization_id = ?1 AND is_test = ?2 ORDER BY id DESC',
  },
  listSchedules: {
    of: 'mode',
    ids: 'SELECT id FROM schedules WHERE organization_id = ?1 AND is_test = ?2 ORDER BY id DESC',
    filters: { member_id: ({ eventTypeId }) => eventTypeId },
  },
  listTimeOff: {
    of: 'mode',
    ids: 'SELECT id FROM time_off WHERE organization_id = ?1 AND is_test = ?2 ORDER BY id DESC',
    filters: {
      member_id: ({ eventTypeId }) => eventTypeId,
      resource_id: ({ eventTypeId }) => eventTypeId,
      from: null,
      to: null,
    },
  },
  listPayments: {
    of: 'mode',
    ids: 'SELECT id FROM payments WHERE organization_id = ?1 AND is_test = ?2 ORDER BY id DESC',
    filters: { status: null },
    isWordless: true,
  },
  listMembers: {
    of: 'organization',
    ids: 'SELECT id FROM members WHERE organization_id = ?1 AND ?2 IS NOT NULL ORDER BY created_at DESC, id DESC',
  },
  listInvitations: {
    of: 'mode',
    ids: `SELECT id FROM invitations WHERE organization_id = ?1 AND is_test = ?2
      AND accepted_at IS NULL AND revoked_at IS NULL ORDER BY id DESC`,
  },
  listApiKeys: {
    of: 'mode',
    ids: 'SELECT id FROM api_keys WHERE organization_id = ?1 AND is_test = ?2 ORDER BY id DESC',
  },
  listActivity: {
    of: 'mode',
    ids: `SELECT id FROM activity WHERE organization_id = ?1 AND is_test = ?2
      UNION SELECT id FROM bookings WHERE organization_id = ?1 AND is_test = ?2 AND log_entry IS NOT NULL ORDER BY id DESC`,
    filters: { action: null, resource_type: null, resource_id: ({ eventTypeId }) => eventTypeId },
  },
  listCalendars: {
    of: 'mode',
    ids: 'SELECT id FROM calendar_connections WHERE organization_id = ?1 AND is_test = ?2 ORDER BY id DESC',
  },
  listCalendarAccounts: {
    of: 'mode',
    ids: 'SELECT id FROM calendar_accounts WHERE organization_id = ?1 AND is_test = ?2 ORDER BY id',
  },
  listCalendarFeeds: {
    of: 'organization',
    ids: 'SELECT id FROM calendar_feeds WHERE organization_id = ?1 AND ?2 IS NOT NULL ORDER BY id DESC',
    isWordless: true,
  },
  listWebhookEndpoints: {
    of: 'mode',
    ids: 'SELECT id FROM webhook_endpoints WHERE organization_id = ?1 AND is_test = ?2 ORDER BY id DESC',
  },
  listEvents: {
    of: 'mode',
    ids: 'SELECT id FROM events WHERE organization_id = ?1 AND is_test = ?2 ORDER BY sequence',
    filters: { after: null },
  },
  listSupportRequests: {
    of: 'mode',
    ids: 'SELECT id FROM support_requests WHERE organization_id = ?1 AND is_test = ?2 ORDER BY id DESC',
  },
  listOutbox: {
    of: 'mode',
    ids: 'SELECT id FROM sandbox_outbox WHERE organization_id = ?1 AND ?2 = 1 ORDER BY id DESC',
  },
}

/** A list under one thing's id is that thing's: who may not see the thing is told so by `test/routes/modes.test.ts`. */
function isList({ method, path, response }: Route): boolean {
  const isOfOneThing = /:(?!orgId)/.test(path)
  if (method !== 'GET' || isOfOneThing || !(response.body instanceof z.ZodObject)) return false
  const { data } = response.body.shape
  // What has no id is nothing of its own: every side has the same providers.
  return data instanceof z.ZodArray && hasId(data.element)
}

function hasId(entry: unknown): boolean {
  return entry instanceof z.ZodUnion
    ? entry.options.every(hasId)
    : entry instanceof z.ZodObject && 'id' in entry.shape
}

const routes = await openRooms(rooms)
const lists = routes.filter(isList)
const PAGE_PARAMETERS = ['limit', 'starting_after', 'ending_before', 'order', 'created_after']

function parametersOf(route: Route): string[] {
  return Object.keys(route.request.query?.shape ?? {})
}

function listOf(route: Route): List {
  const list = LISTS[route.operationId]
  if (!list) throw new Error(`Tell LISTS whose things ${route.operationId} lists.`)
  return list
}

async function idsOf(list: List, { organization, mode }: Side): Promise<string[]> {
  const select = env.DB.prepare(list.ids).bind(organization.id, mode === 'test' ? 1 : 0)
  return (await select.all<{ id: string }>()).results.map(({ id }) => id)
}

/** Everybody who may ask for what a side has. */
function callersOf(route: Route, { organization, mode }: Side): HeaderMap[] {
  const service = asService(organization, { 'X-Service-Mode': mode })
  return needsOrganization(route) ? [bearer(keyOf(organization, mode)), service] : [service]
}

async function askList(
  route: Route,
  side: Side,
  headers: HeaderMap,
  query: Readonly<Record<string, string>> = {},
): Promise<Answered> {
  const prepared = await prepare(route, side.organization, side.mode)
  const whole = { ...(parametersOf(route).includes('limit') && { limit: '100' }), ...query }
  const path = `${prepared.path}?${new URLSearchParams(whole)}`
  return call('GET', path, { headers: { ...prepared.headers, ...headers } })
}

let sides: readonly Side[]

/** The sides whose things the list must not show to `side`. */
function othersOf(list: List, side: Side): Side[] {
  return sides.filter(({ organization, mode }) =>
    list.of === 'mode'
      ? organization !== side.organization || mode !== side.mode
      : organization !== side.organization,
  )
}

beforeAll(async () => {
  const [a, b] = [await createOrganization(), await createOrganization()]
  const filled: Side[] = []
  for (const [name, organization] of [
    ['one', a],
    ['two', b],
  ] as const) {
    for (const mode of MODES) filled.push(await fill(name, organization, mode))
  }
  await settle(a, b)
  sides = filled
}, 60_000)

describe('the table of lists', () => {
  it('names all lists and nothing else', () => {
    expect(Object.keys(LISTS).sort()).toEqual(lists.map(({ operationId }) => operationId).sort())
  })

  it.each(lists.map((route) => [route.operationId, route] as const))(
    'names every parameter that %s accepts',
    (_, route) => {
      const asked = parametersOf(route).filter((name) => !PAGE_PARAMETERS.includes(name))
      expect(Object.keys(listOf(route).filters ?? {}).sort()).toEqual(asked.sort())
    },
  )
})

describe.each(lists.map((route) => [route.operationId, route] as const))('%s', (_, route) => {
  describe.each([0, 1, 2, 3])('requested by side %i of two organizations with two modes each', (at) => {
    it('contains that side’s data and nothing else', async () => {
      const side = sides[at]!
      const list = listOf(route)
      const { onlyIn } = recipeOf(route)
      for (const headers of callersOf(route, side)) {
        const answer = await askList(route, side, headers)
        if (onlyIn && onlyIn !== side.mode) {
          expect([answer.status, answer.body.error.code]).toEqual([403, 'forbidden'])
          continue
        }
        expect(answer.status).toBe(200)
        const ids = answer.body.data.map(({ id }: { id: string }) => id)
        expect(ids.length).toBeGreaterThan(0)
        expect(ids).toEqual(await idsOf(list, side))
        if (route.response.body && 'has_more' in (route.response.body as z.ZodObject).shape) {
          expect(answer.body.has_more).toBe(false)
        }
        const text = JSON.stringify(answer.body)
        for (const other of othersOf(list, side)) {
          expect(text).not.toContain(other.mark)
          expect(text).not.toContain(other.eventTypeId)
        }
        const known = list.ids.includes('FROM organizations') ? side.organization.slug : side.mark
        if (!list.isWordless) expect(text).toContain(known)
      }
    })

    const filters = Object.entries(LISTS[route.operationId]?.filters ?? {})
    const naming = filters.flatMap(([name, filter]) => (filter ? [[name, filter] as const] : []))
    if (naming.length > 0) {
      it.each(naming)('finds nothing of another side by %s', async (name, filter) => {
        const side = sides[at]!
        for (const headers of callersOf(route, side)) {
          for (const other of othersOf(listOf(route), side)) {
            const answer = await askList(route, side, headers, { [name]: filter(other) })
            expect([answer.status, answer.body]).toEqual([200, { data: [], has_more: false }])
          }
        }
      })
    }

    if (parametersOf(route).includes('starting_after')) {
      it('accepts no cursor of another side', async () => {
        const side = sides[at]!
        const list = listOf(route)
        const { onlyIn } = recipeOf(route)
        if (onlyIn && onlyIn !== side.mode) return
        for (const headers of callersOf(route, side)) {
          for (const other of othersOf(list, side)) {
            for (const cursor of (await idsOf(list, other)).slice(0, 1)) {
              const answer = await askList(route, side, headers, { starting_after: cursor })
              expect([answer.status, answer.body.error.code]).toEqual([400, 'validation_error'])
              expect(Object.keys(answer.body.error.details)).toEqual(['starting_after'])
            }
          }
          const [newest, ...rest] = await idsOf(list, side)
          const own = await askList(route, side, headers, { starting_after: newest! })
          expect(own.body.data.map(({ id }: { id: string }) => id)).toEqual(rest)
        }
      })
    }
  })
})

/** Whether a request names something that belongs to an organization, by its path or by its body. */
function namesSomething(route: Route): boolean {
  const { operationId, auth, request } = route
  if (auth === 'none') return false
  if (namesThing(route)) return true
  const required = Object.entries(request.body?.shape ?? {}).filter(
    ([, field]) => !(field as z.ZodType).safeParse(undefined).success,
  )
  // Its token is one of another service.
  if (operationId === 'importCalendly') return false
  return auth !== 'service' && required.some(([name]) => /^(token|.*_id)$/.test(name))
}

type Rows = Readonly<Record<string, readonly unknown[]>>

type Table = { readonly name: string; readonly owned: number }
let known: readonly Table[] | undefined

async function tablesThereAre(): Promise<readonly Table[]> {
  if (known) return known
  const { results } = await env.DB.prepare(
    `SELECT name, EXISTS (SELECT 1 FROM pragma_table_info(sqlite_master.name) WHERE name = 'organization_id') AS owned
      FROM sqlite_master
      WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND name NOT LIKE 'd1\\_%' ESCAPE '\\'`,
  ).all<Table>()
  known = results
  return known
}

/** Every row of every table that is this organization's, or that says of nobody whose it is. */
async function rowsOf(organizationId: string): Promise<Rows> {
  const tables = await tablesThereAre()
  const selects = tables.map(({ name, owned }) => {
    if (name === 'organizations')
      return env.DB.prepare('SELECT * FROM organizations WHERE id = ?').bind(organizationId)
    const select = `SELECT * FROM "${name}"`
    return owned
      ? env.DB.prepare(`${select} WHERE organization_id = ?`).bind(organizationId)
      : env.DB.prepare(select)
  })
  const answers = await env.DB.batch(selects)
  return Object.fromEntries(tables.map(({ name }, at) => [name, answers[at]!.results]))
}

function countsOf(rows: Rows): Record<string, number> {
  return Object.fromEntries(Object.entries(rows).map(([name, all]) => [name, all.length]))
}

describe("attempts on another organization's data", () => {
  const naming = routes.filter(namesSomething)
  let intruder: Organization
  let victim: Organization
  const prepared = new Map<string, Prepared[]>()
  /** As the last attempt left them. */
  let left: Rows | undefined

  beforeAll(async () => {
    intruder = await createOrganization()
    victim = await createOrganization()
    for (const route of naming) {
      const modes = MODES.map((mode) => prepare(route, victim, mode))
      prepared.set(route.operationId, await Promise.all(modes))
    }
    await settle(victim)
  }, 60_000)

  /** The request as it is, and, where something of the victim is left in it, under the intruder's own path. */
  function variantsOf(route: Route, request: Prepared): Prepared[] {
    if (!isOfBothModes(route)) return [request]
    const moved = { ...request, path: request.path.replace(victim.id, intruder.id) }
    const ids = JSON.stringify(moved).match(ANY_UUID) ?? []
    return ids.some((id) => id !== intruder.id) ? [request, moved] : [request]
  }

  it('are made on tables that know their organization', async () => {
    const filled = countsOf(await rowsOf(victim.id))
    for (const name of ['activity', 'api_keys', 'bookings', 'event_types', 'invitations', 'members']) {
      expect([name, filled[name]]).toEqual([name, expect.any(Number)])
      expect(filled[name]).toBeGreaterThan(1)
    }
  })

  it.each(naming.map((route) => [`${route.method} ${route.path}`, route] as const))(
    'leave no trace there: %s',
    async (_, route) => {
      const before = left ?? (await rowsOf(victim.id))
      const keys = route.auth === 'service' ? [] : [bearer(intruder.liveKey), bearer(intruder.testKey)]
      const services = MODES.map((mode) =>
        asService(intruder, { 'X-Service-Mode': mode, 'X-User-Id': intruder.ownerUserId }),
      )
      const isLive = (headers: HeaderMap) =>
        headers === keys[0] || (services.includes(headers) && headers['X-Service-Mode'] === 'live')
      for (const request of prepared.get(route.operationId)!.flatMap((each) => variantsOf(route, each))) {
        for (const headers of [...keys, ...services]) {
          const { path, body } = request
          const answer = await call(route.method, path, { headers, ...(body && { body }) })
          const isOperator = services.includes(headers) && !needsOrganization(route)
          const isElsewhere = recipeOf(route).onlyIn === 'test' && isLive(headers)
          const isClosed = route.scope === 'shared' && headers === keys[1]
          const isRefused = isOperator || isElsewhere || isClosed
          // Whoever is nobody there can be erased: nothing of them is.
          const unseen = route.operationId === 'erasePerson' ? [200, undefined] : [404, 'not_found']
          const expected = isRefused ? [403, 'forbidden'] : unseen
          expect([path, answer.status, answer.body?.error?.code]).toEqual([path, ...expected])
        }
      }
      const after = await rowsOf(victim.id)
      left = after
      expect(countsOf(after)).toEqual(countsOf(before))
      expect(after).toEqual(before)
    },
  )
})
