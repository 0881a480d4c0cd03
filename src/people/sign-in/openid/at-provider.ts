import { SECOND_MS } from '../../../core/time-units.ts'
import type { RealMs } from '../../../platform/limits/clock.ts'
import { send } from '../../../platform/transport/fetch.ts'
import { openIdUrl, saysWhenSignedIn } from '../../openid/authorization-url.ts'
import { discoverProvider, forgetProvider } from '../../openid/discover-provider.ts'
import { type Identity, identify } from '../../openid/identify.ts'
import { OpenIdError, type Talk } from '../../openid/openid-config.ts'
import type { OpenId } from './settings.ts'
import type { Transaction } from './transaction.ts'

export type { Identity } from '../../openid/identify.ts'

/** Somebody waits in front of their browser: for the first answer, and for all that follows when they came back. */
const [FIRST_MS, BACK_MS, ASIDE_MS] = [4 * SECOND_MS, 6 * SECOND_MS, 2 * SECOND_MS]

export type Failed = Pick<OpenIdError, 'failure' | 'isHearsay'> & {
  readonly ok: false
  readonly cause: string
}
type AtProvider<T> = { readonly ok: true; readonly value: T } | Failed

function talkWith(config: OpenId, ms: number): Talk {
  return { config, send, signal: AbortSignal.timeout(ms) }
}

/** Where somebody signs in at the provider, again where they prove once more who they are. */
export function urlAtProvider(config: OpenId, transaction: Transaction): Promise<AtProvider<string>> {
  return told(async () => {
    const provider = await discoverProvider(talkWith(config, FIRST_MS))
    const isFresh = transaction.errand.kind === 'prove'
    return openIdUrl(config, provider, transaction, isFresh)
  })
}

/** Whether the provider says when somebody signed in; false also when it does not answer soon. */
export async function canProveAt(config: OpenId): Promise<boolean> {
  const asked = await told(() => discoverProvider(talkWith(config, ASIDE_MS)))
  return asked.ok && saysWhenSignedIn(asked.value)
}

/** The person who came back from the provider, by the parameters of their address. */
export function identifyAt(
  config: OpenId,
  transaction: Transaction,
  parameters: URLSearchParams,
  now: RealMs,
): Promise<AtProvider<Identity>> {
  const { errand, beganAt } = transaction
  const maxAgeSeconds = errand.kind === 'prove' ? Math.ceil((now - beganAt) / SECOND_MS) : null
  return told(() => identify(talkWith(config, BACK_MS), transaction, parameters, maxAgeSeconds))
}

/** Their address, where the ID token does not say whether it is verified. */
export function emailAt(identity: Identity): Promise<AtProvider<Identity['email']>> {
  return told(identity.askEmail)
}

async function told<T>(act: () => Promise<T>): Promise<AtProvider<T>> {
  try {
    return { ok: true, value: await act() }
  } catch (error) {
    if (!(error instanceof OpenIdError)) throw error
    const { failure, message: cause, isHearsay } = error
    // Whatever it said of itself may be over.
    if (failure === 'misconfigured' && !isHearsay) forgetProvider()
    return { ok: false, failure, cause, isHearsay }
  }
}
