import { openSealed, sealUntil } from '../../auth/seal-until.ts'
import { Refused } from '../../http/errors.ts'
import { textsOf } from '../../i18n/console/catalogue.ts'
import { signInTexts } from '../../i18n/console/sign-in.ts'
import { fill } from '../../i18n/plural.ts'
import { realNow } from '../../limits/clock.ts'
import { seeOther } from '../../pages/respond.ts'
import { CODE_LIFE_MS } from '../../resources/sign-in/code.ts'
import { redeemDigits } from '../../resources/sign-in/redeem-code.ts'
import { requestCode } from '../../resources/sign-in/request-code.ts'
import { proveAgain } from '../../resources/sign-in/sessions.ts'
import { nextPath } from '../next-path.ts'
import { NO_TROUBLE, type Trouble } from '../told.ts'
import { door } from '../views/door.tsx'
import { Form } from '../views/form.tsx'
import type { Guest } from '../visit.ts'
import { brakeGuess, CodeField, digitsIn } from './code.tsx'

const PURPOSE = 'console-confirm'
type Confirming = { readonly id: string; readonly session: string }

/** Asks somebody who is signed in to prove once more who they are, before what must not happen by a borrowed browser. */
export async function showConfirm(guest: Guest): Promise<Response> {
  return confirmPage(guest, nextPath(guest.page.url.searchParams.get('next')), null, NO_TROUBLE, 200)
}

function confirmPage(
  guest: Guest,
  next: string,
  asked: string | null,
  trouble: Trouble,
  status: number,
): Response {
  const { page, session } = guest
  const texts = textsOf(page.locale, signInTexts)
  const { email } = session
  if (email === '') return door({ page, title: texts.confirmTitle, lead: texts.confirmNoMail, status: 403 })
  return door({
    page,
    title: texts.confirmTitle,
    lead: asked === null ? fill(texts.confirmLead, { email }) : fill(texts.codeSent, { email }),
    status,
    children: (
      <Form
        visit={guest}
        action="/console/confirm"
        hidden={{ next, ...(asked !== null && { asked }) }}
        trouble={trouble}
      >
        {asked !== null && <CodeField page={page} trouble={trouble} />}
        <button type="submit" class="button wide">
          {asked === null ? texts.sendCode : texts.confirm}
        </button>
      </Form>
    ),
  })
}

export async function answerConfirm(guest: Guest): Promise<Response> {
  const { page, form, session } = guest
  const { env, ipAddress } = page.ctx
  const texts = textsOf(page.locale, signInTexts)
  const next = nextPath(form.get('next'))
  const now = realNow()
  if (session.email === '') return showConfirm(guest)
  const asked = form.get('asked')
  if (!asked) {
    const wanted = { email: session.email, ipAddress, locale: page.locale.language, path: next, now }
    try {
      const { id } = await requestCode(env, wanted)
      const kept: Confirming = { id, session: session.id }
      const sealed = await sealUntil(env.ENCRYPTION_KEY, PURPOSE, kept, now + CODE_LIFE_MS)
      return confirmPage(guest, next, sealed, NO_TROUBLE, 200)
    } catch (error) {
      if (!(error instanceof Refused) || error.refusal.code !== 'rate_limit_exceeded') throw error
      return confirmPage(guest, next, null, { title: texts.tooManyCodes }, 429)
    }
  }
  const opened = await openSealed<Confirming>(env.ENCRYPTION_KEY, PURPOSE, asked, now)
  if (!opened || opened.session !== session.id) return confirmPage(guest, next, null, NO_TROUBLE, 422)
  const digits = digitsIn(form.get('code') ?? '')
  const code = digits === null ? null : await redeemDigits(env, opened.id, digits, now)
  if (code && code.email === session.email) {
    await proveAgain(env, session.id, now)
    return seeOther(page, next)
  }
  const trouble = { fields: { code: digits === null ? texts.needCode : texts.wrongCode } }
  return (await brakeGuess(page)) ?? confirmPage(guest, next, asked, trouble, 422)
}
