import { seeOther } from '../../pages/respond.ts'
import { withCookie } from '../../pages/session-cookie.ts'
import { HiddenFields } from '../../pages/views/hidden-fields.tsx'
import { isOwnAccount } from '../../people/sign-in/openid/accounts.ts'
import { type OpenId, openIdOf } from '../../people/sign-in/openid/settings.ts'
import type { PendingForm } from '../../people/sign-in/openid/transaction.ts'
import { noteFailure, proveAgain } from '../../people/sign-in/sessions.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { openIdTexts } from '../../platform/i18n/console/openid.ts'
import { shellTexts } from '../../platform/i18n/console/shell.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { realNow } from '../../platform/limits/clock.ts'
import { nextPath } from '../next-path.ts'
import type { SignedInRequest } from '../request.ts'
import { brakeGuess } from '../sign-in/code.tsx'
import { askAgain, CONFIRM } from '../sign-in/prove.tsx'
import { entryPage } from '../views/entry-page.tsx'
import { Form } from '../views/form.tsx'
import { arrive, dropTransaction, transactionOf } from './depart.ts'

type Why = 'over' | 'unavailable' | 'misconfigured' | 'declined' | 'notFresh' | 'notOwn'

/** Takes the proof of the person who comes back, and continues what they wanted to do. */
export async function comeBackProven(request: SignedInRequest): Promise<Response> {
  const { session, page: here } = request
  const { env, ipAddress, requestId } = here.ctx
  const openId = openIdOf(env)
  const transaction = openId && (await transactionOf(here, openId))
  const errand = transaction?.errand
  if (!openId || !transaction || errand?.kind !== 'prove' || errand.sessionId !== session.id) {
    return (await brakeGuess(here)) ?? asked(request, CONFIRM, openId, 'over')
  }
  const page = withCookie(here, dropTransaction())
  const { kept } = errand
  const now = realNow()
  const arrived = await arrive(page, openId, transaction)
  if (!arrived.ok) {
    const why = arrived.failure === 'refused' ? 'notFresh' : arrived.failure
    return arrived.braked ?? asked({ ...request, page }, kept, openId, why)
  }
  const { identity } = arrived
  if (!(await isOwnAccount(env, openId, identity, transaction, session))) {
    await noteFailure(env, session, { ipAddress, requestId }, now)
    return (await brakeGuess(page)) ?? asked({ ...request, page }, kept, openId, 'notOwn')
  }
  await proveAgain(env, session.id, now)
  const [, next] = kept.fields.find(([name]) => name === 'next') ?? []
  if (kept.action === CONFIRM.action) return seeOther(page, nextPath(next))
  const texts = textsOf(page.locale, openIdTexts)
  return entryPage({
    page,
    title: texts.confirmed,
    lead: texts.confirmedText,
    children: (
      <>
        <Form request={request} action={kept.action}>
          <HiddenFields fields={kept.fields} />
          <button type="submit" class="button wide">
            {texts.goOn}
          </button>
        </Form>
        <p class="beside">
          <a href={kept.back}>{textsOf(page.locale, shellTexts).cancel}</a>
        </p>
      </>
    ),
  })
}

function asked(
  request: SignedInRequest,
  kept: PendingForm,
  openId: OpenId | null,
  why: Why,
): Promise<Response> {
  const title = fill(textsOf(request.page.locale, openIdTexts)[why], { name: openId?.name ?? '' })
  return askAgain(request, kept, { title }, why === 'unavailable' || why === 'misconfigured' ? 503 : 422)
}
