import { describe, expect, it } from 'vitest'
import type { Route } from '../../src/platform/http/route.ts'
import { type Answered, call } from '../support/app.ts'
import { bookingInput, createEventType, createOrganization, dayFromNow } from '../support/factories.ts'
import { stayInOneMinute } from '../support/minute.ts'
import { bearer, type HeaderMap, keyOf, modeOf, recipeOf } from '../support/recipes.ts'
import { everythingOf } from '../support/rows.ts'
import { ask, credentials, expectGood, pathWith, refusalOf, send, told, UUID, withQuery } from './ask.ts'
import { isInSample, isPublic, named, routes, shapeOf, takesApiKeys } from './kinds.ts'
import { openWorlds } from './worlds.ts'

const ORIGIN = { Origin: 'https://somewhere.example' }

const worlds = openWorlds()

function expectAsItsSchemaSays(route: Route, answer: Answered): void {
  expectGood(route, answer)
  if (recipeOf(route).insteadOfGood) {
    const { code, message, details } = answer.body.error
    if (details !== undefined) expect(details).toEqual({ field: expect.any(String) })
    expect(answer.body).toEqual({ error: { code, message, details, ...told(answer, code) } })
  } else if (!route.response.body) expect(answer.body).toBeUndefined()
  else expect(route.response.body.parse(answer.body)).toEqual(answer.body)
  if (route.response.body) {
    expect(answer.headers.get('Cache-Control')).toMatch(/^(no-store|public, max-age=\d+)$/)
  }
  expect(answer.headers.has('WWW-Authenticate')).toBe(false)
}

/** Browsers of any origin may read the answers of public routes, refusals too, and those of no other. */
function expectForOrigins(route: Route, { headers }: Answered): void {
  if (isPublic(route)) {
    expect(headers.get('Access-Control-Allow-Origin')).toBe('*')
    expect(headers.get('Access-Control-Expose-Headers')).toContain('X-Request-Id')
  } else {
    expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
  }
}

/** Answers in their order to what one API key asked within a minute, or to what no key did. */
function expectWindow(route: Route, answers: readonly Answered[]): void {
  if (!takesApiKeys(route)) {
    for (const { headers } of answers) expect(headers.has('X-RateLimit-Limit')).toBe(false)
    return
  }
  const reset = Math.floor(Date.now() / 60_000) * 60 + 60
  for (const { headers } of answers) {
    expect(headers.get('X-RateLimit-Limit')).toBe('2000')
    expect(headers.get('X-RateLimit-Reset')).toBe(String(reset))
    expect(headers.has('Retry-After')).toBe(false)
  }
  const left = answers.map(({ headers }) => Number(headers.get('X-RateLimit-Remaining')))
  const step = route.limit === 'counted' ? 1 : 0
  expect(left).toEqual(left.map((_, at) => left[0]! - at * step))
}

describe.each(named)('%s', (_, route) => {
  const { untouched, world } = worlds.of(route)
  const schema = route.request.body

  it('answers as its schema says, with nothing unlisted in it, to whom its headers say', async () => {
    const { organization, prepared } = await world()
    const isKeys = takesApiKeys(route) && route.permission !== 'service-only'
    const headers: HeaderMap = { ...credentials(route, organization), ...ORIGIN }
    if (isKeys) expect(headers.Authorization).toBe(`Bearer ${keyOf(organization, modeOf(route))}`)
    stayInOneMinute()
    // A POST is sent again under its key, which must not do it twice.
    const again = { ...headers, 'Idempotency-Key': crypto.randomUUID() }
    const first = await send(route, prepared, route.method === 'POST' ? again : headers)
    expectAsItsSchemaSays(route, first)
    expectForOrigins(route, first)
    expect(first.headers.has('Idempotent-Replayed')).toBe(false)
    const answers = [first]
    if (route.method === 'POST') {
      const second = await send(route, prepared, again)
      expect([second.status, second.body]).toEqual([first.status, first.body])
      expect(second.headers.get('Idempotent-Replayed')).toBe('true')
      answers.push(second)
    } else {
      const path = withQuery(prepared.path, 'dry_run=1')
      answers.push(await send(route, { ...prepared, path }, headers))
      expect(answers[1]!.status).toBe(400)
    }
    expectForOrigins(route, answers[1]!)
    if (isKeys || !takesApiKeys(route)) expectWindow(route, answers)
  })

  if (takesApiKeys(route) && (isInSample(route) || route.permission === 'service-only')) {
    it('returns the state of the window with every response to an API key, and counts only what is counted', async () => {
      const { organization, prepared } = await world()
      const headers = bearer(keyOf(organization, modeOf(route)))
      const at = (path: string) => send(route, { ...prepared, path }, headers)
      stayInOneMinute()
      const answers = [await send(route, prepared, headers), await send(route, prepared, headers)]
      if (route.path.includes(':')) answers.push(await at(pathWith(route, 'nope')))
      if (route.request.query) answers.push(await at(withQuery(prepared.path, 'limit=0&token[]=1')))
      if (schema) answers.push(await send(route, prepared, headers, '{'))
      if (route.permission === 'service-only') expect(answers[0]!.status).toBe(403)
      else expectGood(route, answers[0]!)
      expectWindow(route, answers)
    })
  }

  if (route.method === 'PATCH') {
    it('changes nothing when it says again what is so already', async () => {
      const { organization, prepared } = await world()
      const headers = credentials(route, organization)
      const first = await send(route, prepared, headers)
      const before = await everythingOf(organization)
      const second = await send(route, prepared, headers)
      expect([second.status, second.body]).toEqual([first.status, first.body])
      expect(await everythingOf(organization)).toEqual(before)
    })
  }

  if (route.method === 'GET') {
    it('answers HEAD as it answers GET, without the body, and counts it alike', async () => {
      const {
        organization,
        prepared: { path, headers },
      } = await untouched()
      const sent = { headers: { ...headers, ...credentials(route, organization) } }
      stayInOneMinute(5)
      const get = await call('GET', path, sent)
      const head = await call('HEAD', path, sent)
      const kept = ({ headers: all }: Answered) =>
        Object.fromEntries(
          [...all].filter(([name]) => !/^(x-request-id|x-ratelimit-.*|content-length)$/.test(name)),
        )
      expect([head.status, head.body, kept(head)]).toEqual([get.status, undefined, kept(get)])
      // How long lines are that come one after the other is known when all are there.
      if (!route.response.contentType) {
        expect(head.headers.get('Content-Length')).toBe(
          String(new TextEncoder().encode(JSON.stringify(get.body)).byteLength),
        )
      }
      const [before, after] = [get, head].map((one) => one.headers.get('X-RateLimit-Remaining'))
      const taken = before === null ? 0 : Number(before) - Number(after)
      expect(taken).toBe(before !== null && route.limit === 'counted' ? 1 : 0)
    })
  }

  for (const [name, header] of shapeOf(route.request.headers)) {
    if (header.isOptional()) continue
    it(`names the missing header ${name}`, async () => {
      const {
        organization,
        prepared: { headers, ...prepared },
      } = await untouched()
      const rest = Object.entries(headers ?? {}).filter(([header]) => header.toLowerCase() !== name)
      const sent = { ...credentials(route, organization), ...Object.fromEntries(rest) }
      const answer = await send(route, prepared, sent)
      expect(refusalOf(answer)).toEqual([400, 'validation_error'])
      expect(answer.body.error.details).toEqual({ [name]: 'Is required.' })
    })
  }
})

describe('browsers', () => {
  it('may ask beforehand what they may call, and nothing else', async () => {
    for (const route of routes) {
      const headers = { ...ORIGIN, 'Access-Control-Request-Method': route.method }
      const answer = await call('OPTIONS', pathWith(route, crypto.randomUUID()), { headers })
      const means = `${route.method} ${route.path}`
      const methods = answer.headers.get('Access-Control-Allow-Methods')?.split(', ') ?? []
      expect(methods.includes(route.method), means).toBe(isPublic(route))
      expect(answer.headers.get('X-Request-Id'), means).toMatch(UUID)
      const isShared = routes.some((other) => other.path === route.path && isPublic(other))
      expect(answer.status, means).toBe(isShared ? 204 : 404)
      expect(answer.headers.get('Access-Control-Allow-Origin'), means).toBe(isShared ? '*' : null)
      if (isPublic(route)) {
        expect(answer.headers.get('Access-Control-Allow-Headers'), means).toContain('Idempotency-Key')
      }
    }
  })
})

describe('refusals', () => {
  it('are sent to browsers of any origin for public endpoints only', async () => {
    for (const route of routes.filter((each) => isInSample(each))) {
      if (isPublic(route) && !route.path.includes(':')) continue
      const answer = await ask(route, pathWith(route, 'NOPE'), { headers: ORIGIN })
      expect(answer.status, route.operationId).toBe(isPublic(route) ? 404 : 401)
      expectForOrigins(route, answer)
    }
  })
})

describe('API keys and the events they book', () => {
  it('books with a key only what its organization offers in its mode', async () => {
    const organization = await createOrganization()
    const neighbour = await createOrganization()
    const { id } = await createEventType(organization.liveKey)
    const body = bookingInput(id, dayFromNow(2))
    for (const key of [neighbour.liveKey, neighbour.testKey, organization.testKey]) {
      const answer = await call('POST', '/v1/bookings', { key, body })
      expect(refusalOf(answer)).toEqual([404, 'not_found'])
    }
    const own = await call('POST', '/v1/bookings', { key: organization.liveKey, body })
    expect(own.status).toBe(201)
  })
})
