import { describe, expect, it } from 'vitest'
import type { Route } from '../../src/platform/http/route.ts'
import type { Answered } from '../support/app.ts'
import type { Organization } from '../support/factories.ts'
import {
  asService,
  bearer,
  isOfBothModes,
  MODES,
  namesThing,
  needsOrganization,
  type Prepared,
  prepare,
  recipeOf,
} from '../support/recipes.ts'
import { emailsOf, everythingOf, liveThingsOf } from '../support/rows.ts'
import { credentials, expectGood, refusalOf, send, withQuery } from './ask.ts'
import { named, servesApiKeys, takesApiKeys } from './kinds.ts'
import { openWorlds } from './worlds.ts'

// What many others left to be done could look like what the route did.
const worlds = openWorlds(3)

async function expectLiveThingsLeft(organization: Organization, act: () => Promise<unknown>): Promise<void> {
  const before = await liveThingsOf(organization)
  const emailsBefore = await emailsOf(organization)
  await act()
  expect(await liveThingsOf(organization)).toEqual(before)
  const added = (await emailsOf(organization)).filter((id) => !emailsBefore.includes(id))
  expect(added).toEqual([])
}

async function expectNothingChanged(organization: Organization, act: () => Promise<unknown>): Promise<void> {
  const before = await everythingOf(organization)
  await act()
  expect(await everythingOf(organization)).toEqual(before)
}

/** Whether a thing has an id by which others could ask for it. */
function hidesSomething(route: Route): boolean {
  return needsOrganization(route) && namesThing(route)
}

function isShared(route: Route): boolean {
  return takesApiKeys(route) && route.scope === 'shared'
}

/** Whether a thing has an id by which anybody could ask for it. */
function isPublicOfOne({ auth, path }: Route): boolean {
  return auth === 'none' && path.includes(':') && !path.endsWith('/:orgSlug')
}

const triedHere = named.filter(
  ([, route]) => hidesSomething(route) || isPublicOfOne(route) || servesApiKeys(route) || isShared(route),
)

describe.each(triedHere)('%s', (_, route) => {
  const { world } = worlds.of(route)
  const { onlyIn, isOfAnybody } = recipeOf(route)

  const isForTestKeys = servesApiKeys(route) && route.scope !== 'shared'
  // What is hidden from others in test mode is what a test key asks for then.
  const isTriedAsHidden = hidesSomething(route) && !isOfAnybody

  if (hidesSomething(route)) {
    const fromOthers = isOfBothModes(route) ? 'other organizations' : 'other organizations and the other mode'

    // Another organization's keys of the other mode are tried on every route by the tests of isolation.
    const title = `hides what is %s from ${fromOthers}, and leaves what is live to live callers`
    it.each(onlyIn ? [onlyIn] : MODES)(title, async (mode) => {
      const { organization, prepared } = await world(mode)
      const neighbour = await worlds.neighbour()
      const otherMode = mode === 'live' ? 'test' : 'live'
      const ofNeighbour = [
        credentials(route, neighbour, mode),
        asService(neighbour, { 'X-Service-Mode': mode }),
      ]
      const ownOthers = [
        credentials(route, organization, otherMode),
        asService(organization, { 'X-Service-Mode': otherMode }),
      ]
      if (isOfAnybody) {
        await expectNothingChanged(organization, async () => {
          for (const headers of [...ofNeighbour, ...ownOthers]) {
            expectGood(route, await send(route, prepared, headers))
          }
        })
        return
      }
      for (const headers of ofNeighbour) {
        expect(refusalOf(await send(route, prepared, headers))).toEqual([404, 'not_found'])
      }
      for (const headers of isOfBothModes(route) ? [] : ownOthers) {
        const expected = onlyIn ? [403, 'forbidden'] : [404, 'not_found']
        expect(refusalOf(await send(route, prepared, headers))).toEqual(expected)
      }
      const good = async () =>
        expectGood(route, await send(route, prepared, credentials(route, organization, mode)))
      if (mode === 'test' && isForTestKeys) await expectLiveThingsLeft(organization, good)
      else await good()
      for (const headers of isOfBothModes(route) ? ownOthers : []) {
        expectGood(route, await send(route, await prepare(route, organization, mode), headers))
      }
    })
  }

  if (isShared(route)) {
    it('is forbidden to test keys, whatever they are about', async () => {
      const { organization, prepared } = await world()
      const asked = [prepared]
      if (!onlyIn) asked.push(await prepare(route, organization, 'test'))
      await expectNothingChanged(organization, async () => {
        for (const one of asked) {
          const answer = await send(route, one, bearer(organization.testKey))
          expect(refusalOf(answer)).toEqual([403, 'forbidden'])
          expect(answer.body.error.message).toContain('use a live key')
        }
      })
    })
  } else if (isForTestKeys && !isTriedAsHidden) {
    it('leaves everything that is live as it was when a test key calls it', async () => {
      const { organization, prepared } = await world('test')
      await expectLiveThingsLeft(organization, async () => {
        expectGood(route, await send(route, prepared, bearer(organization.testKey)))
      })
    })
  }

  if (takesApiKeys(route) && route.scope === 'read') {
    it('changes nothing', async () => {
      const { organization, prepared } = await world()
      await expectNothingChanged(organization, async () => {
        expectGood(route, await send(route, prepared, credentials(route, organization)))
      })
    })
  }

  if (route.hasDryRun) {
    it('takes a dry run, which changes nothing of the organization', async () => {
      const { organization, prepared } = await world()
      const asked: Prepared = { ...prepared, path: withQuery(prepared.path, 'dry_run=true') }
      let answer: Answered | undefined
      await expectNothingChanged(organization, async () => {
        answer = await send(route, asked, credentials(route, organization))
      })
      expect([answer!.status, answer!.headers.get('Dry-Run')]).toEqual([route.response.status, 'true'])
      expect(route.response.body!.parse(answer!.body)).toEqual(answer!.body)
      const body = prepared.body ?? {}
      const wrong = await send(route, { ...asked, body: { ...body, event_type_id: 1 } }, bearer('nonsense'))
      expect([wrong.status, wrong.headers.get('Dry-Run')]).toEqual([401, 'true'])
    })
  }

  if (isPublicOfOne(route)) {
    it('hides what is test data', async () => {
      const { prepared } = await world('test')
      expect(refusalOf(await send(route, prepared, {}))).toEqual([404, 'not_found'])
    })
  }
})
