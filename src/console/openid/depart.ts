import { cookiesOf } from '../../pages/open-page.ts'
import type { Page } from '../../pages/page.ts'
import { hostCookie } from '../../pages/session-cookie.ts'
import {
  type Failed,
  type Identity,
  identifyAt,
  urlAtProvider,
} from '../../people/sign-in/openid/at-provider.ts'
import type { OpenId } from '../../people/sign-in/openid/settings.ts'
import {
  beginTransaction,
  type Errand,
  OPENID_LIFE_MS,
  readTransaction,
  type Transaction,
} from '../../people/sign-in/openid/transaction.ts'
import { isBraked } from '../../platform/limits/braked-networks.ts'
import { realNow } from '../../platform/limits/clock.ts'
import { networkOf } from '../../platform/limits/network.ts'
import { brakeGuess } from '../sign-in/code.tsx'

const TRANSACTION = '__Host-hf_openid'
/** Browsers keep cookies of up to 4 KiB with their name and what belongs to them. */
const MOST_EMAILS = 3_800

type Failure = Failed['failure']
type Departed =
  | { readonly ok: true; readonly url: string; readonly cookie: string }
  | { readonly ok: false; readonly failure: Failure | 'tooLong' }

/** Makes ready to go to the provider: the address there, and what this browser keeps until it comes back. */
export async function depart(page: Page, openId: OpenId, errand: Errand): Promise<Departed> {
  const { transaction, sealed } = await beginTransaction(page.ctx.env, openId, errand, realNow())
  if (sealed.length > MOST_EMAILS) return { ok: false, failure: 'tooLong' }
  const asked = await urlAtProvider(openId, transaction)
  if (!asked.ok) return { ok: false, failure: noted(page, asked) }
  return { ok: true, url: asked.value, cookie: hostCookie(TRANSACTION, sealed, OPENID_LIFE_MS) }
}

/** What this browser went to the provider with, where it comes back from that one with it; else null. */
export async function transactionOf(page: Page, openId: OpenId): Promise<Transaction | null> {
  const sealed = cookiesOf(page.ctx.request).get(TRANSACTION) ?? ''
  const transaction = await readTransaction(page.ctx.env, sealed, realNow())
  const isOfThis = transaction?.provider === openId.key
  return isOfThis && transaction.state === page.url.searchParams.get('state') ? transaction : null
}

export function dropTransaction(): string {
  return hostCookie(TRANSACTION, '', 0)
}

type Arrived =
  | { readonly ok: true; readonly identity: Identity }
  | { readonly ok: false; readonly failure: Failure; readonly braked: Response | null }

/**
 * The person who came back, as the provider says. A response that anybody could have sent counts for its network, and is logged
 * within that network's limit; over it, the provider is not asked either.
 */
export async function arrive(page: Page, openId: OpenId, transaction: Transaction): Promise<Arrived> {
  const { ctx, url } = page
  const isDoubtful = isBraked(networkOf(ctx.ipAddress), realNow())
  const before = isDoubtful ? await brakeGuess(page) : null
  if (before) return { ok: false, failure: 'refused', braked: before }
  const asked = await identifyAt(openId, transaction, url.searchParams, realNow())
  if (asked.ok) return { ok: true, identity: asked.value }
  const braked = asked.failure === 'unavailable' ? null : await brakeGuess(page)
  return { ok: false, failure: braked ? asked.failure : noted(page, asked), braked }
}

/** The operator gets the reason. What only a browser says raises no alarm. */
export function noted({ ctx }: Page, { failure, cause, isHearsay }: Omit<Failed, 'ok'>): Failure {
  const line = JSON.stringify({ request_id: ctx.requestId, openid: failure, cause })
  if (failure === 'misconfigured' && !isHearsay) console.error(line)
  else console.warn(line)
  return failure
}
