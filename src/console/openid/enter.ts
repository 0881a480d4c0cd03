import { deviceOf } from '../../pages/device.ts'
import type { Page } from '../../pages/page.ts'
import { seeOther } from '../../pages/respond.ts'
import { withCookie } from '../../pages/session-cookie.ts'
import { recognize } from '../../people/sign-in/openid/accounts.ts'
import { type OpenId, openIdOf, openIdProblem } from '../../people/sign-in/openid/settings.ts'
import type { Transaction } from '../../people/sign-in/openid/transaction.ts'
import { noteFailure } from '../../people/sign-in/sessions.ts'
import { fenceOf } from '../../platform/db/refusals.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { openIdTexts } from '../../platform/i18n/console/openid.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { realNow } from '../../platform/limits/clock.ts'
import { nextPath } from '../next-path.ts'
import type { AnonymousRequest } from '../request.ts'
import { brakeGuess, signInPage } from '../sign-in/code.tsx'
import { comeIn } from '../sign-in/come-in.ts'
import { arrive, depart, dropTransaction, noted, transactionOf } from './depart.ts'

/** Sends a browser to the provider. It is a link and no form, whose redirect a browser would hold against `form-action`. */
export async function goToEnter({ page }: AnonymousRequest): Promise<Response> {
  const next = nextPath(page.url.searchParams.get('next'))
  const openId = openIdOf(page.ctx.env)
  if (!openId) return notSetUp(page, next)
  const gone = await depart(page, openId, { kind: 'enter', next })
  if (gone.ok) return seeOther(withCookie(page, gone.cookie), gone.url)
  return told(page, openId, next, gone.failure)
}

/** Continues what a person who comes back from the provider had started. */
export async function comeBack({ page }: AnonymousRequest): Promise<Response> {
  const openId = openIdOf(page.ctx.env)
  if (!openId) return notSetUp(page, '/console')
  const transaction = await transactionOf(page, openId)
  switch (transaction?.errand.kind) {
    case undefined:
      return doubted(page, openId, '/console', 'over')
    case 'prove':
      return seeOther(page, `/console/confirm/openid${page.url.search}`)
    case 'link':
      return seeOther(page, `/console/settings/openid${page.url.search}`)
    case 'enter':
      return enter(
        withCookie(page, dropTransaction()),
        openId,
        transaction!,
        nextPath(transaction!.errand.next),
      )
  }
}

async function enter(
  page: Page,
  openId: OpenId,
  transaction: Transaction,
  next: `/console${string}`,
): Promise<Response> {
  const { env, ipAddress, requestId } = page.ctx
  const now = realNow()
  const arrived = await arrive(page, openId, transaction)
  if (!arrived.ok) return arrived.braked ?? told(page, openId, next, arrived.failure)
  const by = { device: deviceOf(page.ctx.request), now }
  const found = await recognize(env, openId, arrived.identity, transaction, by)
  const suspect = async (why: 'unverified' | 'taken', email: string) => {
    if (email !== '') await noteFailure(env, { email, memberId: null }, { ipAddress, requestId }, now)
    return doubted(page, openId, next, why, email)
  }
  switch (found.is) {
    case 'failed': {
      const failure = noted(page, found.failed)
      return failure === 'refused' ? doubted(page, openId, next, failure) : told(page, openId, next, failure)
    }
    case 'used':
      return doubted(page, openId, next, 'over')
    case 'person': {
      const { person, entry } = found
      const signedIn = await orTaken(() => comeIn(page, person, next, entry))
      if (signedIn === 'taken') return suspect('taken', person.email)
      return signedIn ?? doubted(page, openId, next, 'unknown', person.email)
    }
    default:
      return suspect(found.is, found.email)
  }
}

/** Somebody else of the provider may come in with the address at the same moment. */
async function orTaken<T>(act: () => Promise<T>): Promise<T | 'taken'> {
  try {
    return await act()
  } catch (error) {
    if (fenceOf(error) === 'STALE') return 'taken'
    throw error
  }
}

type Why =
  | 'over'
  | 'unavailable'
  | 'misconfigured'
  | 'declined'
  | 'refused'
  | 'unverified'
  | 'taken'
  | 'unknown'

/** The page to sign in with every other way, and why this one did not. */
function told(page: Page, { name }: OpenId, next: string, why: Why | 'tooLong', email = ''): Response {
  const title = fill(textsOf(page.locale, openIdTexts)[why], { name, email })
  const isOurs = why === 'unavailable' || why === 'misconfigured'
  return signInPage(page, '', next, { title }, isOurs ? 503 : 422)
}

/** The same for what may be an attack: it counts for the network that sent it. */
async function doubted(page: Page, openId: OpenId, next: string, why: Why, email = ''): Promise<Response> {
  return (await brakeGuess(page)) ?? told(page, openId, next, why, email)
}

function notSetUp(page: Page, next: string): Response {
  const { notComplete, notSetUp } = textsOf(page.locale, openIdTexts)
  const problem = openIdProblem(page.ctx.env)
  if (problem !== null) console.error(JSON.stringify({ openid: 'misconfigured', cause: problem }))
  return signInPage(
    page,
    '',
    next,
    { title: problem === null ? notSetUp : notComplete },
    problem === null ? 404 : 503,
  )
}
