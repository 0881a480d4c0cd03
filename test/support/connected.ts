import { env } from 'cloudflare:workers'
import { vi } from 'vitest'
import { call } from './app.ts'
import { answerConsent } from './consent.ts'
import { settingsFor } from './doubles/connect.ts'
import { openWorld, type ProviderWorld } from './doubles/control.ts'
import type { ProviderName } from './doubles/doubles.ts'
import { type Visited, visit } from './pages.ts'

const NAMES = { calendar_a: 'google', video_a: 'zoom' } as const

/** Points the service to a world of its own; the whole file shares it. */
export function pointTo(doubles: string, provider: keyof typeof NAMES): ProviderWorld {
  const world = openWorld(doubles, NAMES[provider] satisfies ProviderName)
  Object.assign(env, settingsFor(provider, world.base))
  return world
}

/** Connects an account as its owner does, by way of the provider. */
export async function connectAs(
  world: ProviderWorld,
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
