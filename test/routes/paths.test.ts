import { describe, expect, it } from 'vitest'
import { nestedRouter } from '../../src/platform/http/nested-router.ts'
import type { Room } from '../../src/platform/http/room.ts'
import type { Route } from '../../src/platform/http/route.ts'
import { rooms } from '../../src/routes.ts'
import { call } from '../support/app.ts'
import { createOrganization } from '../support/factories.ts'
import { credentials, expectGood, pathWith, refusalOf, send, told, UUID, withQuery } from './ask.ts'
import { isInSample, isPublic, named, routes } from './kinds.ts'
import { openWorlds } from './worlds.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const MALFORMED_IDS = ['nope!', '%zz']
const MORE_MALFORMED_IDS = ['1', 'NOPE', '%20', '%00', "'%20OR%201=1--"]
const UNKNOWN = /^Must not be sent: this endpoint takes .+\.$/

const worlds = openWorlds()

/** The path with each parameter alone replaced, and with all of them; the query stays. */
function pathsWith(route: Route, path: string, parameter: string): Set<string> {
  const parts = route.path.split('/')
  const [bare, query] = path.split('?')
  const real = bare!.split('/')
  const alone = parts.flatMap((part, at) =>
    part.startsWith(':') ? [real.with(at, parameter).join('/')] : [],
  )
  const all = [...alone, pathWith(route, parameter)]
  return new Set(query === undefined ? all : all.map((one) => `${one}?${query}`))
}

describe('the rooms', () => {
  const findRoom = nestedRouter<Room>(
    rooms.map((room) => ({
      at: room.at,
      open: async () => room.at.map((path) => ({ method: 'GET', path: `${path}/*`, answer: () => room })),
    })),
  )

  it('match every path of their routes', async () => {
    for (const room of rooms) {
      const paths = Object.values(await room.open()).map(({ path }) => path)
      const found = await Promise.all(
        paths.map((path) => findRoom('GET', new URL(path, 'https://holdfast.test'), {})),
      )
      expect(
        paths.filter((_, at) => found[at] !== room),
        room.at.join(),
      ).toEqual([])
      expect(room.at.filter((begin) => !paths.some((path) => path.startsWith(begin)))).toEqual([])
    }
  })
})

describe('what no route is for', () => {
  it('is answered 404 with the error shape', async () => {
    for (const path of [
      '/v1',
      '/v2/event-types',
      '/v1/nope',
      '/v1/event-types/x/y/z',
      '/HEALTH',
      '/v1/Bookings',
    ]) {
      for (const method of METHODS) {
        const answer = await call(method, path)
        const means = `${method} ${path}`
        expect(answer.status, means).toBe(404)
        expect(answer.body, means).toEqual({
          error: { code: 'not_found', message: expect.any(String), ...told(answer, 'not_found') },
        })
        expect(answer.headers.get('X-Request-Id'), means).toMatch(UUID)
        expect(answer.headers.get('Content-Type'), means).toContain('application/json')
      }
    }
  })

  it('are the methods that a path does not have, answered 404', async () => {
    const { liveKey } = await createOrganization()
    for (const [path, had] of Map.groupBy(routes, (route) => route.path)) {
      const methods = had.map((route): string => route.method)
      for (const method of METHODS.filter((each) => !methods.includes(each))) {
        const answer = await call(method, path.replace(/:\w+/g, crypto.randomUUID()), { key: liveKey })
        expect([method, path, ...refusalOf(answer)]).toEqual([method, path, 404, 'not_found'])
        expect(answer.headers.get('X-Request-Id')).toMatch(UUID)
      }
    }
  })
})

describe.each(named)('%s', (_, route) => {
  const { untouched, world } = worlds.of(route)
  const parameters = Object.keys(route.request.query?.shape ?? {})
  const isClosed = !route.ignoresUnknownQuery

  it(`refuses ${isClosed ? 'a query parameter that it does not know and ' : ''}what is sent twice, even when it says the same`, async () => {
    const { organization, prepared } = await untouched()
    const single = parameters.filter((name) => route.request.query!.shape[name].meta()?.type !== 'array')
    const twice = single.map((name) => `${name}=1&${name}=1`)
    // A dry run of a route that has none must not be a wet one.
    const unknown = [...(isClosed ? ['nonsense'] : []), ...(route.hasDryRun ? [] : ['dry_run'])]
    const query = [...unknown.map((name) => `${name}=true`), ...twice].join('&')
    const path = `${prepared.path.split('?')[0]}?${query}`
    const answer = await send(route, { ...prepared, path }, credentials(route, organization))
    expect([...refusalOf(answer), answer.headers.has('Dry-Run')]).toEqual([400, 'validation_error', false])
    expect(answer.body.error.details).toEqual({
      ...Object.fromEntries(
        unknown.map((name) => [name, expect.stringMatching(isClosed ? UNKNOWN : /^Must not be sent: /)]),
      ),
      ...Object.fromEntries(single.map((name) => [name, 'Must be sent once.'])),
    })
  })

  if (route.ignoresUnknownQuery) {
    it('accepts extra query parameters from providers that redirect here', async () => {
      const { organization, prepared } = await world()
      const path = withQuery(prepared.path, 'extra=1&extra=2')
      expectGood(route, await send(route, { ...prepared, path }, credentials(route, organization)))
    })
  } else if (isInSample(route)) {
    it('names each parameter that it does not know, once it knows the caller', async () => {
      const { organization, prepared } = await untouched()
      for (const query of ['nonsense', '_=1', 'Limit=1', '__proto__=1']) {
        const asked = { ...prepared, path: withQuery(prepared.path, query) }
        const answer = await send(route, asked, credentials(route, organization))
        expect([query, ...refusalOf(answer)]).toEqual([query, 400, 'validation_error'])
        expect(Object.entries(answer.body.error.details)).toEqual([
          [query.split('=')[0], expect.stringMatching(UNKNOWN)],
        ])
      }
      const asked = { ...prepared, path: withQuery(prepared.path, 'nonsense') }
      if (!isPublic(route)) expect((await send(route, asked, {})).status).toBe(401)
    })
  }

  // `owner_user_id` is whatever an identity provider calls somebody.
  const idsInQuery = parameters.filter((name) => name.endsWith('_id') && name !== 'owner_user_id')
  if (idsInQuery.length > 0) {
    it('knows nothing by a malformed id in its query', async () => {
      const { organization, prepared } = await untouched()
      const [bare, query] = prepared.path.split('?')
      for (const name of idsInQuery) {
        const asked = new URLSearchParams(query)
        asked.set(name, MALFORMED_IDS[0]!)
        const path = `${bare}?${asked}`
        const answer = await send(route, { ...prepared, path }, credentials(route, organization))
        const { code, details, message } = answer.body.error
        // Where a provider is not set up, that is said first.
        if (/^[\w ]+ is not configured here/.test(message)) continue
        expect(['not_found', 'bad_request'], path).toContain(code)
        expect(details, path).toEqual({ field: name })
      }
    })
  }

  if (route.path.includes(':')) {
    it('answers 404 to an id or a name that is unknown, and knows nothing by a malformed one', async () => {
      const { organization, prepared } = await untouched()
      const ofMalformed = route.malformedId ? [400, 'validation_error'] : [404, 'not_found']
      const malformed = isInSample(route) ? [...MALFORMED_IDS, ...MORE_MALFORMED_IDS] : MALFORMED_IDS
      for (const [ids, expected] of [
        [[crypto.randomUUID()], [404, 'not_found']],
        [malformed, ofMalformed],
      ] as const) {
        for (const path of ids.flatMap((id) => [...pathsWith(route, prepared.path, id)])) {
          const answer = await send(route, { ...prepared, path }, credentials(route, organization))
          expect([path, ...refusalOf(answer)]).toEqual([path, ...expected])
        }
      }
    })
  }
})
