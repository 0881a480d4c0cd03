import { openSealed, sealUntil } from '../../auth/seal-until.ts'
import { Refused } from '../../http/errors.ts'
import { textsOf } from '../../i18n/console/catalogue.ts'
import { shellTexts } from '../../i18n/console/shell.ts'
import { signInTexts } from '../../i18n/console/sign-in.ts'
import { fill } from '../../i18n/plural.ts'
import { realNow } from '../../limits/clock.ts'
import { HiddenFields } from '../../pages/views/hidden-fields.tsx'
import { CODE_LIFE_MS } from '../../resources/sign-in/code.ts'
import { redeemDigits } from '../../resources/sign-in/redeem-code.ts'
import { requestCode } from '../../resources/sign-in/request-code.ts'
import { proveAgain } from '../../resources/sign-in/sessions.ts'
import { NO_TROUBLE, type Trouble } from '../told.ts'
import { door } from '../views/door.tsx'
import { Form } from '../views/form.tsx'
import type { Guest } from '../visit.ts'
import { brakeGuess, CodeField, digitsIn } from './code.tsx'

const PURPOSE = 'console-confirm'
/** A code that was asked for: good in the session that asked for it. */
type Confirming = { readonly id: string; readonly session: string }

/** What the page adds to the form that it keeps: how they prove it, and with what. */
const OWN = new Set(['csrf', 'proof', 'proof_code', 'proof_asked'])

type Step = {
  readonly back: `/console${string}`
  /** The sealed code that was asked for; null before. */
  readonly asked: string | null
  readonly trouble?: Trouble
  readonly status?: number
}

/** Takes the proof that a form carries; null when it is good. Else the page that asks for it, with all that was sent. */
export async function takeProof(guest: Guest, back: `/console${string}`): Promise<Response | null> {
  const { form, session } = guest
  if (session.email === '') return proofPage(guest, { back, asked: null })
  switch (form.get('proof')) {
    case 'mail':
      return mailCode(guest, back)
    case 'code':
      return takeCode(guest, back)
    default:
      return proofPage(guest, { back, asked: null })
  }
}

async function mailCode(guest: Guest, back: `/console${string}`): Promise<Response> {
  const { page, session } = guest
  const { env, ipAddress } = page.ctx
  const now = realNow()
  const wanted = { email: session.email, ipAddress, locale: page.locale.language, path: back, now }
  try {
    const { id } = await requestCode(env, wanted)
    const kept: Confirming = { id, session: session.id }
    const asked = await sealUntil(env.ENCRYPTION_KEY, PURPOSE, kept, now + CODE_LIFE_MS)
    return proofPage(guest, { back, asked })
  } catch (error) {
    if (!(error instanceof Refused) || error.refusal.code !== 'rate_limit_exceeded') throw error
    const { tooManyCodes } = textsOf(page.locale, signInTexts)
    const asked = guest.form.get('proof_asked') ?? null
    return proofPage(guest, { back, asked, trouble: { title: tooManyCodes }, status: 429 })
  }
}

async function takeCode(guest: Guest, back: `/console${string}`): Promise<Response | null> {
  const { page, form, session } = guest
  const { env, ipAddress, requestId } = page.ctx
  const texts = textsOf(page.locale, signInTexts)
  const now = realNow()
  const asked = form.get('proof_asked') ?? ''
  const opened = await openSealed<Confirming>(env.ENCRYPTION_KEY, PURPOSE, asked, now)
  if (opened?.session !== session.id) {
    return proofPage(guest, { back, asked: null, trouble: { title: texts.codeOver }, status: 422 })
  }
  const digits = digitsIn(form.get('proof_code') ?? '')
  const wrong = (text: string) =>
    proofPage(guest, { back, asked, trouble: { fields: { proof_code: text } }, status: 422 })
  if (digits === null) return wrong(texts.needCode)
  const code = await redeemDigits(env, opened.id, digits, { ipAddress, requestId, now })
  if (code?.email !== session.email) return (await brakeGuess(page)) ?? wrong(texts.wrongCode)
  await proveAgain(env, session.id, now)
  return null
}

function proofPage(guest: Guest, { back, asked, trouble = NO_TROUBLE, status = 200 }: Step): Response {
  const { page, session, form } = guest
  const texts = textsOf(page.locale, signInTexts)
  const leave = (
    <p class="beside">
      <a href={back}>{textsOf(page.locale, shellTexts).cancel}</a>
    </p>
  )
  const { email } = session
  const title = texts.confirmTitle
  if (email === '') return door({ page, title, lead: texts.confirmNoMail, status: 403, children: leave })
  const kept = [...form.keys()].filter((name) => !OWN.has(name))
  const fields = kept.flatMap((name) => form.all(name).map((value) => [name, value] as const))
  return door({
    page,
    title,
    lead: fill(asked === null ? texts.confirmLead : texts.confirmSent, { email }),
    status,
    children: (
      <>
        <Form
          visit={guest}
          action={page.url.pathname as `/console${string}`}
          hidden={asked === null ? {} : { proof_asked: asked }}
          trouble={trouble}
        >
          <HiddenFields fields={fields} />
          {asked !== null && (
            <>
              <CodeField page={page} name="proof_code" trouble={trouble} />
              <button type="submit" class="button wide" name="proof" value="code">
                {texts.confirm}
              </button>
            </>
          )}
          <button type="submit" class={asked === null ? 'button wide' : 'link'} name="proof" value="mail">
            {asked === null ? texts.sendCode : texts.newCode}
          </button>
        </Form>
        {leave}
      </>
    ),
  })
}

/** For whoever only wants to look at a screen that asks for a proof: the same page, in front of it. */
export function askBefore(guest: Guest, next: `/console${string}`): Response {
  const form = Object.assign(new Map([['next', next]]), { all: () => [next] })
  return proofPage({ ...guest, form }, { back: '/console', asked: null })
}
