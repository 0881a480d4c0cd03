import { describe, expect, it } from 'vitest'
import { ROLES, type Role } from '../../src/platform/auth/caller.ts'
import { call } from '../support/app.ts'
import { createKey, type Organization } from '../support/factories.ts'
import { memberWithRole, userWithRole } from '../support/members.ts'
import { asService, bearer, type Mode, modeOf, needsOrganization, RECIPES } from '../support/recipes.ts'
import { expectGood, refusalOf, send } from './ask.ts'
import { isInSample, named, routes, servesApiKeys } from './kinds.ts'
import { LEAST_ROLE, RISING } from './least-roles.ts'
import { openWorlds } from './worlds.ts'

const worlds = openWorlds()
const known = new Map<string, Promise<string>>()

/** What is made of an organization once. */
function once(organization: Organization, what: string, make: () => Promise<string>): Promise<string> {
  const name = `${organization.id} ${what}`
  const made = known.get(name) ?? make()
  known.set(name, made)
  return made
}

/** A key made for an admin, or the owner, who has that role now. */
async function keyOfMember(organization: Organization, role: Role, mode: Mode): Promise<string> {
  const { id, userId } = await memberWithRole(organization, role === 'owner' ? 'owner' : 'admin')
  const { key } = await createKey(organization.id, mode, {}, userId)
  const isChanged = role === 'member' || role === 'viewer'
  const path = `/v1/organizations/${organization.id}/members/${id}`
  if (isChanged) await call('PATCH', path, { key: organization.liveKey, body: { role } })
  return key
}

/** Whether X-User-Id is whom it is about, and not on whose behalf the service key acts. */
function isAboutUser(route: (typeof routes)[number]): boolean {
  return 'x-user-id' in (route.request.headers?.shape ?? {})
}

describe('the tables of recipes and of least roles', () => {
  it('cover every route and nothing else', () => {
    const operations = routes.map((route) => route.operationId).sort()
    expect(Object.keys(RECIPES).sort()).toEqual(operations)
    expect(Object.keys(LEAST_ROLE).sort()).toEqual(operations)
  })
})

const ofMembers = named.filter(([, { operationId }]) =>
  (ROLES as readonly string[]).includes(LEAST_ROLE[operationId]!),
)

describe.each(ofMembers)('%s', (_, route) => {
  const leastRole = LEAST_ROLE[route.operationId] as Role
  const least = RISING.indexOf(leastRole)
  const mode = modeOf(route)
  const { world } = worlds.of(route)

  // Which role is above which, and how a key gets its member's role, is the same for every route.
  const isTriedWhole = isInSample(route)
  const last = isTriedWhole ? RISING.length : least + 1
  const tried = RISING.slice(isTriedWhole ? 0 : Math.max(0, least - 1), last)

  it(`takes it from members who are ${leastRole} or more`, async () => {
    let { organization, prepared } = await world()
    const askAs = (userId: string) => {
      const headers = { 'X-Service-Mode': mode, 'X-User-Id': userId }
      return send(route, prepared, asService(organization, headers))
    }
    // Where the service key says for whom it acts, the tests of keys try it.
    if (!needsOrganization(route) && !isAboutUser(route)) {
      for (const userId of ['stranger', (await worlds.neighbour()).ownerUserId]) {
        expect(refusalOf(await askAs(userId)), userId).toEqual([403, 'forbidden'])
      }
    }
    for (const role of tried) {
      const at = RISING.indexOf(role)
      // Whoever was refused left the request as it was; whoever was let in used it up.
      if (at > least) ({ organization, prepared } = await world())
      const answer = await askAs(await once(organization, role, () => userWithRole(organization, role)))
      if (at >= least) expectGood(route, answer, role)
      else expect(refusalOf(answer), role).toEqual([403, 'forbidden'])
    }
  })

  if (isTriedWhole && servesApiKeys(route)) {
    it(`takes it from keys of members who are ${leastRole} or more`, async () => {
      const { organization, prepared } = await world()
      const refused = RISING.slice(Math.max(0, least - 1), least)
      for (const role of [...refused, leastRole] as const) {
        const make = () => keyOfMember(organization, role, mode)
        const key = await once(organization, `key ${role} ${mode}`, make)
        const answer = await send(route, prepared, bearer(key))
        if (refused.includes(role)) expect(refusalOf(answer), role).toEqual([403, 'forbidden'])
        else expectGood(route, answer, role)
      }
    })
  }
})
