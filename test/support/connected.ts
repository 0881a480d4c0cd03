import { env } from 'cloudflare:workers'
import { vi } from 'vitest'
import { call } from './app.ts'
import { answerConsent } from './consent.ts'
import { type Visited, visit } from './pages.ts'
import { openWorld, type World } from './world.ts'
import { settingsOf } from './world-account.ts'

const NAMES = { calendar_a: 'google', calendar_b: 'microsoft', video_a: 'zoom' } as const

/** Points the service to a provider of its own; the whole file shares it. */
export function pointToWorld(provider: keyof typeof NAMES): World {
  const world = openWorld(NAMES[provider])
  Object.assign(env, settingsOf(provider, world.base))
  return world
}

/** Connects an account as its owner does, by way of the provider. */
export async function connectAs(
  world: Pick<World, 'consent'>,
  key: string,
  connectPath: string,
  as: string,
): Promise<Visited> {
  const { body } = await call('GET', connectPath, { key })
  return answerConsent(visit, await world.consent(body.url, as))
}

/** What is there once the queue has done its work. */
export function soon<T>(look: () => Promise<T>): Promise<T> {
  return vi.waitFor(look, { timeout: 15_000, interval: 50 })
}
