import { env } from 'cloudflare:workers'
import { vi } from 'vitest'
import { call } from './app.ts'
import { answerConsent } from './consent.ts'
import { settingsFor } from './doubles/connect.ts'
import { openWorld as openDouble, type ProviderWorld } from './doubles/control.ts'
import type { ProviderName } from './doubles/doubles.ts'
import { type Visited, visit } from './pages.ts'
import { openWorld, type World } from './world.ts'
import { settingsOf } from './world-account.ts'

/** Points the service to a Zoom of its own; the whole file shares it. */
export function pointTo(doubles: string, provider: 'video_a'): ProviderWorld {
  const world = openDouble(doubles, 'zoom' satisfies ProviderName)
  Object.assign(env, settingsFor(provider, world.base))
  return world
}

/** Points the service to a Google of its own; the whole file shares it. */
export function pointToGoogle(): World {
  const world = openWorld('google')
  Object.assign(env, settingsOf('calendar_a', world.base))
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
