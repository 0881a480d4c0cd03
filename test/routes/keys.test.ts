import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { newApiKey } from '../../src/platform/auth/api-key.ts'
import { call } from '../support/app.ts'
import { createKey, createOrganization } from '../support/factories.ts'
import {
  asService,
  bearer,
  type HeaderMap,
  keyOf,
  MODES,
  modeOf,
  needsOrganization,
  recipeOf,
} from '../support/recipes.ts'
import { expectGood, refusalOf, send } from './ask.ts'
import { isInSample, isPublic, named } from './kinds.ts'
import { openWorlds } from './worlds.ts'

const worlds = openWorlds()

let deadKeys: { readonly revoked: string; readonly expired: string; readonly unknown: string }

beforeAll(async () => {
  const organization = await createOrganization()
  const revoked = await createKey(organization.id)
  await call('DELETE', `/v1/api-keys/${revoked.id}`, { key: organization.liveKey })
  const expired = await createKey(organization.id)
  await env.DB.prepare('UPDATE api_keys SET expires_at = ? WHERE id = ?')
    .bind(Date.now() - 1, expired.id)
    .run()
  deadKeys = { revoked: revoked.key, expired: expired.key, unknown: newApiKey('live') }
})

describe.each(named.filter(([, { auth }]) => auth !== 'none'))('%s', (_, route) => {
  const { untouched, world } = worlds.of(route)
  const isOfService = route.auth === 'service'

  it('answers 401 to a key that is revoked, expired, unknown, no key or not for it', async () => {
    const { organization, prepared } = await untouched()
    const asked: (HeaderMap | string)[] = [`Bearer ${deadKeys.revoked}`, 'Bearer nonsense']
    if (isInSample(route)) {
      asked.push(
        `Bearer ${deadKeys.expired}`,
        `Bearer ${deadKeys.unknown}`,
        'Bearer',
        'Bearer ',
        `Bearer ${env.SERVICE_KEY}x`,
        `Basic ${btoa('user:password')}`,
        keyOf(organization, modeOf(route)),
      )
    }
    if (isOfService) asked.push(bearer(organization.liveKey), bearer(organization.testKey))
    // What confirms a hold is its token, with a key and without one.
    const needsToken = route.auth === 'key-or-token' && route.operationId !== 'confirmHold'
    if (!isPublic(route) || needsToken) asked.push({})
    for (const one of asked) {
      const answer = await send(route, prepared, typeof one === 'string' ? { Authorization: one } : one)
      const means = JSON.stringify(one)
      expect(refusalOf(answer), means).toEqual([401, 'unauthorized'])
      const why = `Bearer error="invalid_token", error_description="${answer.body.error.message}"`
      expect(answer.headers.get('WWW-Authenticate'), means).toBe(means === '{}' ? 'Bearer' : why)
    }
  })

  if (isInSample(route)) {
    it('knows no service mode but live and test', async () => {
      const { organization, prepared } = await untouched()
      for (const mode of ['LIVE', '', 'sandbox']) {
        const answer = await send(route, prepared, asService(organization, { 'X-Service-Mode': mode }))
        expect([mode, ...refusalOf(answer)]).toEqual([mode, 400, 'validation_error'])
        expect(answer.body.error.details).toHaveProperty('X-Service-Mode')
      }
    })
  }

  if (route.auth === 'key-or-operator') {
    const takenFrom = route.scope === 'shared' ? (['live'] as const) : MODES
    it.each(takenFrom)('takes keys of the organization that it is about alone, made for %s', async (mode) => {
      const { organization, prepared } = await world(mode)
      const neighbour = await worlds.neighbour()
      const otherMode = mode === 'live' ? 'test' : 'live'
      for (const [key, of] of [
        [neighbour.liveKey, 'live'],
        [neighbour.testKey, 'test'],
        [keyOf(organization, otherMode), otherMode],
      ] as const) {
        // Nobody is told of what is another's; a test key is told that it changes nothing which live shares.
        const isClosed = route.scope === 'shared' && of === 'test'
        const expected = isClosed ? [403, 'forbidden'] : [404, 'not_found']
        expect(refusalOf(await send(route, prepared, bearer(key)))).toEqual(expected)
      }
      expectGood(route, await send(route, prepared, bearer(keyOf(organization, mode))))
    })
  }

  if (route.permission === 'service-only') {
    it('answers 403 to an API key', async () => {
      const { organization, prepared } = await untouched()
      for (const key of [organization.liveKey, organization.testKey]) {
        expect(refusalOf(await send(route, prepared, bearer(key)))).toEqual([403, 'forbidden'])
      }
    })
  }

  const { onlyIn } = recipeOf(route)
  if (onlyIn) {
    it(`is forbidden to callers that are not in ${onlyIn} mode`, async () => {
      const { organization, prepared } = await untouched()
      const otherMode = onlyIn === 'live' ? 'test' : 'live'
      for (const headers of [
        bearer(keyOf(organization, otherMode)),
        asService(organization, { 'X-Service-Mode': otherMode }),
      ]) {
        expect(refusalOf(await send(route, prepared, headers))).toEqual([403, 'forbidden'])
      }
    })
  }

  if (needsOrganization(route)) {
    it('needs to know from the service key which organization, mode and member it acts for', async () => {
      // Its success at the end uses up what the tests before need for refusals alone.
      const { organization, prepared } = await untouched()
      const neighbour = await worlds.neighbour()
      const mode = modeOf(route)
      const isSampled = isInSample(route)
      const as = (headers: HeaderMap) => send(route, prepared, { ...bearer(env.SERVICE_KEY), ...headers })

      const wrong = [undefined, ...(isSampled ? ['', 'nope', `${organization.id}0`] : [])]
      for (const orgId of wrong) {
        const answer = await as(orgId === undefined ? {} : { 'X-Org-Id': orgId })
        expect([orgId, ...refusalOf(answer)]).toEqual([orgId, 400, 'validation_error'])
        expect(answer.body.error.details).toEqual({ 'X-Org-Id': expect.any(String) })
      }
      const unknown = await as({ 'X-Org-Id': crypto.randomUUID() })
      expect(refusalOf(unknown)).toEqual([404, 'not_found'])

      const strangers = isSampled ? ['', 'stranger'] : []
      for (const userId of [...strangers, neighbour.ownerUserId]) {
        const answer = await as({ 'X-Org-Id': organization.id, 'X-Service-Mode': mode, 'X-User-Id': userId })
        expect([userId, ...refusalOf(answer)]).toEqual([userId, 403, 'forbidden'])
      }
      const proof = await as({ 'X-Org-Id': organization.id.toUpperCase(), 'X-Service-Mode': mode })
      expectGood(route, proof)
    })
  } else {
    it('takes the service key without an organization', async () => {
      const { prepared } = await untouched()
      expectGood(route, await send(route, prepared, bearer(env.SERVICE_KEY)))
    })
  }
})
