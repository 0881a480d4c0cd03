import { beforeAll, describe, expect, it } from 'vitest'
import limits from '../../docs/limits.md?raw'
import { AREAS } from '../../src/console/areas.ts'
import { TOOLS } from '../../src/mcp/tools/tools.ts'
import { SITE } from '../../src/pages/site.ts'
import { isPublic } from '../../src/platform/http/cors.ts'
import { type Asked, countedService } from '../support/anonymous-costs.ts'
import { call, type Json } from '../support/app.ts'
import { bookAsAnother, bookingInput, createEventType, dateOf, iso, unique } from '../support/factories.ts'
import { imageBytes, upload } from '../support/images.ts'
import { largeOrganization } from '../support/large-organization.ts'
import { manyListed } from '../support/many-listed.ts'
import { prepare } from '../support/recipes.ts'
import { routes } from './kinds.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** A page's path as the table writes it. */
function readable(path: RegExp): string {
  const plain = path.source
    .replaceAll('\\/', '/')
    .replace(/^\^/, '')
    .replace(/(\/\?)?\$$/, '')
  return plain.replace(/\(\?<(\w+)>[^)]*\)/g, ':$1').replaceAll('\\.', '.') || '/'
}

/** Everything that answers somebody who has no key and is not signed in. */
async function anonymousCalls(): Promise<string[]> {
  const screens = (await Promise.all(AREAS.map(({ open }) => open()))).flat()
  return [
    ...routes
      .filter((route) => isPublic(route) || route.auth === 'key-or-operator')
      .map(({ method, path }) => `${method} ${path}`),
    ...SITE.flatMap(({ path, GET, POST }) => [
      ...(GET ? [`GET ${readable(path)}`] : []),
      ...(POST ? [`POST ${readable(path)}`] : []),
    ]),
    ...screens.filter(({ level }) => level === 'anonymous').map(({ method, path }) => `${method} ${path}`),
    ...TOOLS.filter(({ needsKey }) => !needsKey).map(({ name }) => `MCP ${name}`),
    'MCP initialize, tools/list, server/discover',
    'GET /console/…',
    'GET /assets/…, /embed.js, /favicon.svg',
    'OPTIONS, and unknown paths',
  ]
}

type Row = { readonly read: number; readonly written: number; readonly emails: number }

/** The rows of the table, by call; several calls may share one. */
function table(): Map<string, Row> {
  const lines = limits.split('## What an anonymous call costs')[1]!.split('\n')
  const rows = lines
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
  return new Map(
    rows.flatMap(([, calls, ...cells]) => {
      const [read, written, emails] = cells.map((cell) => Number(cell.replaceAll(',', '')))
      const names = [...calls!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)
      return names.map((name): [string, Row] => [name, { read: read!, written: written!, emails: emails! }])
    }),
  )
}

let large: Awaited<ReturnType<typeof largeOrganization>>
beforeAll(async () => {
  large = await largeOrganization()
}, 120_000)

/** A free start of the event type, long after what is booked. */
let later = 0
function freeStart(): number {
  later += 1
  return large.first - HOUR_MS + (40 + later) * DAY_MS + 9 * HOUR_MS
}

async function booked(): Promise<{ id: string; token: string }> {
  const { status, body } = await bookAsAnother(large.ids[0]!, freeStart())
  if (status !== 201) throw new Error(JSON.stringify(body))
  return { id: body.id, token: body.cancel_token }
}

/** The longest, of a class. */
async function bookedSeries(): Promise<{ id: string; token: string }> {
  const { id } = await createEventType(large.organization.liveKey, { max_attendees: 2 })
  const body = { ...input(freeStart()), event_type_id: id, count: 52 }
  const made = await call('POST', '/v1/series', { key: large.organization.liveKey, body })
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  return { id: made.body.id, token: made.body.cancel_token }
}

function input(start: number, more = {}) {
  return bookingInput(large.ids[0]!, start, { invitee_email: `${unique('a')}@example.com`, ...more })
}

function month(id: string): string {
  const [start, end] = [dateOf(large.first), dateOf(large.first + 30 * DAY_MS)]
  return `event_type_id=${id}&start=${start}&end=${end}&timezone=Europe/Berlin`
}

function tool(name: string, args: object): Asked {
  return {
    method: 'POST',
    path: '/mcp',
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
    headers: { Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': '2025-06-18' },
  }
}

/** Everybody who can come to a group at once, each with an address of their own. */
async function crowd(): Promise<Json> {
  const { id } = await createEventType(large.organization.liveKey, { max_attendees: 100 })
  const attendees = Array.from({ length: 99 }, () => ({ name: 'Eve', email: `${unique('e')}@example.com` }))
  return bookingInput(id, freeStart(), { attendees })
}

function page(path: string): Asked {
  return { method: 'GET', path }
}

async function pageOfBooking(rest = ''): Promise<Asked> {
  const { id, token } = await booked()
  return page(`/bookings/${id}${rest}?token=${token}`)
}

async function feed(): Promise<Asked> {
  const { body } = await call('POST', '/v1/calendar-feeds', { key: large.organization.liveKey, body: {} })
  return page(new URL(body.url).pathname)
}

/** What nobody can be asked well without somebody's token. */
const REFUSED =
  /^(OPTIONS|GET \/(requests|waitlist|invitations|v1\/calendars|console\/(link|sign-in\/)|docs\/:doc|bookings\/:id\/paid))/
const NOBODY = '0192f1e0-7c11-7000-8000-5e2c4b7a9d10'

/** The worst that each of these may be asked, of a large organization. */
const WORST: Readonly<Record<string, () => Asked | readonly Asked[] | Promise<Asked | readonly Asked[]>>> = {
  'GET /v1/availability': () => ({ method: 'GET', path: `/v1/availability?${month(large.ids[0]!)}` }),
  'GET /v1/availability/search': () => {
    const [from, to] = [iso(large.first), iso(large.first + 31 * DAY_MS)]
    const path = `/v1/availability/search?event_type_ids=${large.ids}&from=${from}&to=${to}&limit=100`
    return { method: 'GET', path }
  },
  'GET /v1/public/booking-page/:orgSlug': async () => [
    page(`/v1/public/booking-page/${large.organization.slug}`),
    page(`/v1/public/booking-page/${(await manyListed(999)).slug}`),
  ],
  'GET /v1/public/booking-page/:orgSlug/:eventSlug': () => ({
    method: 'GET',
    path: `/v1/public/booking-page/${large.organization.slug}/${large.slugs[0]}`,
  }),
  'GET /v1/public/event-types/:id': () => ({ method: 'GET', path: `/v1/public/event-types/${large.ids[0]}` }),
  'POST /v1/bookings': async () => [
    { method: 'POST', path: '/v1/bookings', body: input(freeStart()) },
    { method: 'POST', path: '/v1/bookings', body: await crowd() },
  ],
  'GET /v1/bookings/:id': async () => {
    const { id, token } = await booked()
    return { method: 'GET', path: `/v1/bookings/${id}?token=${token}` }
  },
  'POST /v1/bookings/:id/cancel': async () => {
    const { id, token } = await booked()
    return { method: 'POST', path: `/v1/bookings/${id}/cancel?token=${token}` }
  },
  'GET /v1/event-types/:id/explain': async () => {
    const { id, token } = await booked()
    const query = `start_time=${iso(large.first)}&booking_id=${id}&token=${token}`
    return { method: 'GET', path: `/v1/event-types/${large.ids[0]}/explain?${query}` }
  },
  'POST /v1/bookings/:id/reschedule': async () => {
    const { id, token } = await booked()
    const body = { new_start_time: iso(freeStart()) }
    return { method: 'POST', path: `/v1/bookings/${id}/reschedule?token=${token}`, body }
  },
  'POST /v1/series': async () => {
    const key = large.organization.liveKey
    const { id } = await createEventType(key, { max_attendees: 100, series_max: 52 })
    await call('PATCH', `/v1/event-types/${large.ids[0]}`, { key, body: { series_max: 52 } })
    return [
      { method: 'POST', path: '/v1/series', body: { ...input(freeStart()), count: 52 } },
      { method: 'POST', path: '/v1/series', body: { ...input(freeStart()), event_type_id: id, count: 52 } },
    ]
  },
  'GET /v1/series/:id': async () => {
    const { id, token } = await bookedSeries()
    return page(`/v1/series/${id}?token=${token}`)
  },
  'GET /bookings/series/:id': async () => {
    const { id, token } = await bookedSeries()
    return page(`/bookings/series/${id}?token=${token}`)
  },
  'POST /bookings/series/:id/cancel': async () => {
    const { id, token } = await bookedSeries()
    return { method: 'POST', path: `/bookings/series/${id}/cancel`, form: { token, from: '', reason: '' } }
  },
  'POST /v1/series/:id/cancel': async () => {
    const { id, token } = await bookedSeries()
    return { method: 'POST', path: `/v1/series/${id}/cancel?token=${token}`, body: {} }
  },
  'POST /v1/holds': () => ({
    method: 'POST',
    path: '/v1/holds',
    body: { event_type_id: large.ids[0], start_time: iso(freeStart()) },
  }),
  'POST /v1/waitlist': () => ({ method: 'POST', path: '/v1/waitlist', body: input(large.busy) }),
  'GET /book/:org': async () => [
    page(`/book/${large.organization.slug}`),
    page(`/book/${(await manyListed(999)).slug}`),
  ],
  'GET /book/:org/:event': () => ({
    method: 'GET',
    path: `/book/${large.organization.slug}/${large.slugs[0]}`,
  }),
  'GET /book/:org.md': async () => [
    page(`/book/${large.organization.slug}.md`),
    page(`${(await manyListed(999)).path}.md`),
  ],
  'GET /book/:org/:event.md': () => page(`/book/${large.organization.slug}/${large.slugs[2]}.md`),
  'GET /bookings/:id': () => pageOfBooking(),
  'GET /bookings/:id/change': () => pageOfBooking('/change'),
  'GET /bookings/:id/reschedule': () => pageOfBooking('/reschedule'),
  'GET /bookings/:id/invite.ics': () => pageOfBooking('/invite.ics'),
  'GET /bookings/:id/paid': () => pageOfBooking('/paid'),
  'GET /calendar-feeds/:token.ics': feed,
  'GET /media/:hash.:ext': async () => {
    const { body } = await upload('/v1/branding/logo', large.organization.liveKey, imageBytes('png'))
    return page(new URL(body.logo_url).pathname)
  },
  'GET /requests/:id': () => page(`/requests/${NOBODY}?token=x`),
  'GET /requests/:id/event': () => page(`/requests/${NOBODY}/event?token=x`),
  'GET /waitlist/:id': () => page(`/waitlist/${NOBODY}?token=x`),
  'GET /invitations': () => page('/invitations?token=x'),
  'GET /v1/calendars/calendar_a/callback': () => page('/v1/calendars/calendar_a/callback?state=x&code=y'),
  'GET /llms.txt': () => page('/llms.txt'),
  'GET /llms-full.txt': () => page('/llms-full.txt'),
  'GET /docs.md': () => page('/docs.md'),
  'GET /docs/reference': () => page('/docs/reference'),
  'GET /docs/:doc': () => page('/docs/embedding'),
  'GET /docs/:doc.md': () => page('/docs/index.md'),
  'GET /console/sign-in/code': () => page('/console/sign-in/code'),
  'GET /console/sign-in/link': () => page('/console/sign-in/link?token=x'),
  'GET /console/link': () => page('/console/link?token=x'),
  'GET /': () => ({ method: 'GET', path: '/' }),
  'GET /docs': () => ({ method: 'GET', path: '/docs' }),
  'GET /health': () => ({ method: 'GET', path: '/health' }),
  'GET /v1/openapi.json': () => ({ method: 'GET', path: '/v1/openapi.json' }),
  'GET /console/…': () => ({ method: 'GET', path: '/console/bookings' }),
  'GET /console/sign-in': () => ({ method: 'GET', path: '/console/sign-in' }),
  'POST /console/sign-in': () => ({
    method: 'POST',
    path: '/console/sign-in',
    form: { email: `${unique('nobody')}@example.com` },
  }),
  'MCP find_open_times': () =>
    tool('find_open_times', {
      event_type_id: large.ids[1],
      start: dateOf(large.first),
      end: dateOf(large.first + 30 * DAY_MS),
      timezone: 'UTC',
    }),
  'MCP find_event_types': async () => [
    tool('find_event_types', { organization: large.organization.slug }),
    tool('find_event_types', { organization: (await manyListed(999)).slug }),
  ],
  'MCP book': () => tool('book', input(freeStart())),
  'MCP hold_time': () => tool('hold_time', { event_type_id: large.ids[0], start_time: iso(freeStart()) }),
  'OPTIONS, and unknown paths': () => ({ method: 'GET', path: '/v1/nothing' }),
}

describe('the table of what an anonymous call costs', () => {
  it('has every route, page, screen and tool that answers without a key, and no other', async () => {
    expect([...table().keys()].sort()).toEqual((await anonymousCalls()).sort())
  })

  it('has a number in each cell that is counted', () => {
    const bad = [...table()].filter(([, row]) => Object.values(row).some((count) => !Number.isInteger(count)))
    expect(bad).toEqual([])
  })

  it('bounds the worst calls to a large organization, and not by far', async () => {
    const told: string[] = []
    for (const [name, make] of Object.entries(WORST)) {
      const all = await Promise.all([await make()].flat().map((asked) => countedService().costOf(asked)))
      const status = Math.max(...all.map((cost) => cost.status))
      const [read, written, emails] = (['read', 'written', 'emails'] as const).map((of) =>
        Math.max(...all.map((cost) => cost[of])),
      ) as [number, number, number]

      const most = table().get(name)
      if (status >= 400 && !REFUSED.test(name)) told.push(`${name} is ${status}`)
      if (!most) continue
      if (read > most.read || written > most.written || emails > most.emails) {
        told.push(`${name} reads ${read}, writes ${written} and sends ${emails}`)
      }
      if (most.read > 3 * read + 60) told.push(`${name} reads ${read} only`)
    }
    expect(told).toEqual([])
  }, 120_000)

  it('bounds what every other endpoint costs', async () => {
    const told: string[] = []
    for (const route of routes.filter(isPublic)) {
      const name = `${route.method} ${route.path}`
      if (WORST[name]) continue
      const { path, body, headers } = await prepare(route, large.organization, 'live')
      const token = route.auth === 'key-or-token' && !path.includes('token=')
      const key = token ? { Authorization: `Bearer ${large.organization.liveKey}` } : {}
      const { costOf } = countedService()
      const cost = await costOf({ method: route.method, path, body, headers: { ...headers, ...key } })

      const most = table().get(name)
      if (!most || cost.status >= 400) told.push(`${name} is ${cost.status}`)
      else if (cost.read > most.read || cost.written > most.written || cost.emails > most.emails) {
        told.push(`${name} reads ${cost.read}, writes ${cost.written} and sends ${cost.emails}`)
      }
    }
    expect(told).toEqual([])
  }, 120_000)
})
