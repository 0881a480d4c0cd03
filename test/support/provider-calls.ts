import { env } from 'cloudflare:workers'
import { type Answered, call } from './app.ts'
import type { ProviderCall, Trouble } from './provider.ts'
import { providerEvent } from './provider-events.ts'
import type { ProviderObject } from './provider-objects.ts'

async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`${env.STRIPE_API_BASE}${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return (await response.json()) as T
}

/** Every call to the provider in which `about` stands, in order. */
export function providerCalls(about: string): Promise<ProviderCall[]> {
  return ask('GET', `/_calls?about=${encodeURIComponent(about)}`)
}

/** Everything that the provider has and in which `about` stands, in the order in which it was made. */
export function providerObjects(about: string): Promise<ProviderObject[]> {
  return ask('GET', `/_objects?about=${encodeURIComponent(about)}`)
}

export function providerObject(id: string): Promise<ProviderObject> {
  return ask('GET', `/_objects/${id}`)
}

/** Changes an object behind the service's back, or puts a new one there. */
export function changeProviderObject(id: string, fields: Record<string, unknown>): Promise<ProviderObject> {
  return ask('PUT', `/_objects/${id}`, fields)
}

export async function troubleProvider(...troubles: readonly Trouble[]): Promise<void> {
  await ask('PUT', '/_trouble', troubles)
}

export async function calmProvider(about: string): Promise<void> {
  await ask('DELETE', `/_trouble?about=${encodeURIComponent(about)}`)
}

/** Sends the service an event of the provider, signed unless `options` spoil it. */
export async function tellService(
  kind: string,
  object: unknown,
  options: Parameters<typeof providerEvent>[2] = {},
): Promise<Answered> {
  return call('POST', '/v1/payment-provider/webhook', await providerEvent(kind, object, options))
}
