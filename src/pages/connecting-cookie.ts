import { MINUTE_MS } from '../core/time-units.ts'
import { sha256 } from '../platform/auth/secret.ts'
import { cookiesOf } from './open-page.ts'
import type { Page } from './page.ts'
import { hostCookie } from './session-cookie.ts'

/** What this browser began to connect in the console: the hash of the state that the provider brings back. */
const CONNECTING = '__Host-hf_connecting'
const LIFE_MS = 10 * MINUTE_MS

/** For people who go to the provider at `url`: they are recognized when they come back with its state. */
export async function keepConnecting(url: string): Promise<string> {
  return hostCookie(CONNECTING, await sha256(stateIn(new URL(url))), LIFE_MS)
}

export function dropConnecting(): string {
  return hostCookie(CONNECTING, '', 0)
}

/** Whether who comes back from a provider went there from the console, in this browser: nobody sent them. */
export async function wentFromConsole({ ctx, url }: Page): Promise<boolean> {
  const state = stateIn(url)
  return state !== '' && cookiesOf(ctx.request).get(CONNECTING) === (await sha256(state))
}

function stateIn({ searchParams }: URL): string {
  return searchParams.get('state') ?? ''
}
