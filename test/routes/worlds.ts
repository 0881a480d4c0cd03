import type { Route } from '../../src/platform/http/route.ts'
import { createOrganization, type Organization } from '../support/factories.ts'
import { type Mode, modeOf, type Prepared, prepare, recipeOf } from '../support/recipes.ts'
import { routes } from './kinds.ts'

/** An organization and a request that succeeds in it. */
export type World = { readonly organization: Organization; readonly prepared: Prepared }

type WorldsOfRoute = {
  /** The one world of the route, for requests that are refused. */
  readonly untouched: () => Promise<World>
  /** The same, with a request of one's own where it changes something. */
  readonly world: (mode?: Mode) => Promise<World>
}

/** So few that they stay below the fifty endpoints of webhooks and the calls a minute of one organization. */
const TOGETHER = 12

/**
 * Worlds of a file's own; call it outside of tests. An organization serves `together` routes, one after the other, and
 * none but its own where a success changes what the organization is answered later.
 */
export function openWorlds(together = TOGETHER) {
  const shared = new Map<number, Promise<Organization>>()
  let neighbour: Promise<Organization> | undefined

  function shareFor(route: Route): Promise<Organization> {
    const at = Math.floor(routes.indexOf(route) / together)
    const known = shared.get(at) ?? createOrganization()
    shared.set(at, known)
    return known
  }

  function of(route: Route): WorldsOfRoute {
    const { changesOrganization, onlyIn } = recipeOf(route)
    // What succeeds in live mode alone is about what the organization pays.
    const isAlone = changesOrganization || onlyIn === 'live'
    const makeWorld = async (organization: Organization, mode: Mode): Promise<World> => ({
      organization,
      prepared: await prepare(route, organization, mode),
    })
    let ours: Promise<Organization> | undefined
    const organizationOf = () => {
      ours ??= isAlone ? createOrganization() : shareFor(route)
      return ours
    }
    let first: Promise<World> | undefined
    const untouched = async () => {
      first ??= makeWorld(await organizationOf(), modeOf(route))
      return first
    }
    const world = async (mode = modeOf(route)): Promise<World> => {
      if (changesOrganization) return makeWorld(await createOrganization(), mode)
      const isShared = route.method === 'GET' && mode === modeOf(route)
      return isShared ? untouched() : makeWorld(await organizationOf(), mode)
    }
    return { untouched, world }
  }

  return {
    of,
    /** Somebody else, about whom no test is. */
    neighbour: () => {
      neighbour ??= createOrganization()
      return neighbour
    },
  }
}
