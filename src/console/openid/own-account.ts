import type { Params } from '../../pages/page.ts'
import { seeOther } from '../../pages/respond.ts'
import { withCookie } from '../../pages/session-cookie.ts'
import { linkAccount, unlinkAccount } from '../../people/sign-in/openid/accounts.ts'
import { type OpenId, openIdOf } from '../../people/sign-in/openid/settings.ts'
import { notFound } from '../../platform/http/errors.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { openIdTexts } from '../../platform/i18n/console/openid.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { changingAs } from '../passkeys/changing.ts'
import { askForProof } from '../proven.ts'
import { nothingHere } from '../refusal-pages.tsx'
import type { MemberRequest } from '../request.ts'
import { sessionsPage } from '../settings/sessions.tsx'
import { brakeGuess } from '../sign-in/code.tsx'
import { leaveFor } from '../views/leave.tsx'
import { arrive, depart, dropTransaction, transactionOf } from './depart.ts'

const HERE = '/console/settings/sessions'

/** A permanent way in is added only after a proof. */
export async function goToLink(request: MemberRequest): Promise<Response> {
  const { page, session } = request
  const openId = openIdOf(page.ctx.env)
  if (!openId) return nothingHere(request)
  const proof = await askForProof(request, HERE)
  if (proof) return proof
  const gone = await depart(page, openId, { kind: 'link', sessionId: session.id })
  return gone.ok ? leaveFor(request, gone.url, gone.cookie) : troubled(request, openId, gone.failure, 503)
}

/** Links the account of the person who comes back, in the session that started it. */
export async function comeBackLinked(request: MemberRequest): Promise<Response> {
  const { page, session } = request
  const { env } = page.ctx
  const openId = openIdOf(env)
  if (!openId) return nothingHere(request)
  const transaction = await transactionOf(page, openId)
  const errand = transaction?.errand
  if (!transaction || errand?.kind !== 'link' || errand.sessionId !== session.id) {
    return (await brakeGuess(page)) ?? troubled(request, openId, 'over', 422)
  }
  const left: MemberRequest = { ...request, page: withCookie(page, dropTransaction()) }
  const arrived = await arrive(left.page, openId, transaction)
  if (!arrived.ok) {
    const { failure, braked } = arrived
    const isOurs = failure === 'unavailable' || failure === 'misconfigured'
    return braked ?? troubled(left, openId, failure, isOurs ? 503 : 422)
  }
  const isLinked = await linkAccount(env, openId, arrived.identity, transaction, changingAs(request))
  if (!isLinked) return troubled(left, openId, 'notLinked', 422)
  return seeOther(left.page, `${HERE}?done=1&about=linked`)
}

export async function removeOwnAccount(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  const { page } = request
  const { env } = page.ctx
  const openId = openIdOf(env)
  if (!openId) throw notFound('account')
  const proof = await askForProof(request, HERE)
  if (proof) return proof
  if (!(await unlinkAccount(env, openId, changingAs(request), id))) throw notFound('account')
  return seeOther(page, `${HERE}?done=1&about=unlinked`)
}

type Why = 'over' | 'unavailable' | 'misconfigured' | 'declined' | 'refused' | 'tooLong' | 'notLinked'

function troubled(request: MemberRequest, { name }: OpenId, why: Why, status: number): Promise<Response> {
  return sessionsPage(request, fill(textsOf(request.page.locale, openIdTexts)[why], { name }), status)
}
