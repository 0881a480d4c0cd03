import { HiddenFields } from '../../pages/views/hidden-fields.tsx'
import { CODE_LIFE_MS } from '../../people/sign-in/code.ts'
import type { OpenId } from '../../people/sign-in/openid/settings.ts'
import type { PendingForm } from '../../people/sign-in/openid/transaction.ts'
import { isRightCode, noteWrongGuess, proveByCode } from '../../people/sign-in/redeem-code.ts'
import { requestCode } from '../../people/sign-in/request-code.ts'
import { type WaysToProve, waysToProve } from '../../people/sign-in/ways-to-prove.ts'
import { openSealed, sealUntil } from '../../platform/auth/seal-until.ts'
import { Refused } from '../../platform/http/errors.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { openIdTexts } from '../../platform/i18n/console/openid.ts'
import { passkeyTexts } from '../../platform/i18n/console/passkeys.ts'
import { shellTexts } from '../../platform/i18n/console/shell.ts'
import { signInTexts } from '../../platform/i18n/console/sign-in.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { realNow } from '../../platform/limits/clock.ts'
import { sharedEnv } from '../ask.ts'
import { isAtHome } from '../at-home.ts'
import { knownBySession } from '../known-browser.ts'
import { takesPasskeys } from '../passkeys/ask-browser.ts'
import { PasskeyButton } from '../passkeys/passkey-button.tsx'
import { isProvenByPasskey } from '../passkeys/prove.ts'
import type { SignedInRequest } from '../request.ts'
import { NO_TROUBLE, type Trouble } from '../trouble.ts'
import { entryPage } from '../views/entry-page.tsx'
import { Form } from '../views/form.tsx'
import { brakeGuess, CodeField, digitsIn } from './code.tsx'

const PURPOSE = 'console-confirm'
/** A code that was asked for: good in the session that asked for it. */
type Confirming = { readonly id: string; readonly session: string }

/** What the page adds to the form that it keeps: how they prove it, and with what. */
const OWN = new Set(['csrf', 'proof', 'proof_code', 'proof_asked', 'passkey'])

type Step = {
  readonly back: `/console${string}`
  /** The sealed code that was asked for; null before. */
  readonly asked: string | null
  /** Where that was asked for already. */
  readonly known?: WaysToProve
  readonly trouble?: Trouble
  readonly status?: number
}

/** Takes the proof that a form carries; null when it is good. Else the page that asks for it, with all that was sent. */
export async function takeProof(
  request: SignedInRequest,
  back: `/console${string}`,
): Promise<Response | null> {
  const { form, session } = request
  switch (form.get('proof')) {
    case 'passkey':
      return takePasskey(request, back)
    case 'mail':
      return session.email === '' ? proofPage(request, { back, asked: null }) : mailCode(request, back)
    case 'code':
      return takeCode(request, back)
    case 'openid': {
      const { goToProve } = await import('../openid/go-to-prove.ts')
      const gone = await goToProve(request, { action: pathOf(request), back, fields: fieldsOf(request) })
      if (typeof gone !== 'string') return gone
      return proofPage(request, { back, asked: null, trouble: { title: gone }, status: 503 })
    }
    default:
      return proofPage(request, { back, asked: null })
  }
}

function pathOf({ page }: SignedInRequest): `/console${string}` {
  return page.url.pathname as `/console${string}`
}

/** All that was sent, but for the proof. */
function fieldsOf({ form }: SignedInRequest): PendingForm['fields'] {
  const kept = [...form.keys()].filter((name) => !OWN.has(name))
  return kept.flatMap((name) => form.all(name).map((value) => [name, value] as const))
}

async function takePasskey(request: SignedInRequest, back: `/console${string}`): Promise<Response | null> {
  const { page, form } = request
  if (await isProvenByPasskey(request)) return null
  const { refused } = textsOf(page.locale, passkeyTexts)
  const asked = form.get('proof_asked') ?? null
  return (
    (await brakeGuess(page)) ?? proofPage(request, { back, asked, trouble: { title: refused }, status: 422 })
  )
}

async function mailCode(request: SignedInRequest, back: `/console${string}`): Promise<Response> {
  const { page, session } = request
  const { env, ipAddress } = page.ctx
  const now = realNow()
  const browser = await knownBySession(page, session)
  const { language: locale } = page.locale
  const wanted = { email: session.email, ipAddress, browser, locale, path: back, now }
  try {
    const shared = sharedEnv(request)
    const [{ id }, known] = await Promise.all([requestCode(shared, wanted), waysToProve(shared, session)])
    const kept: Confirming = { id, session: session.id }
    const asked = await sealUntil(env.ENCRYPTION_KEY, PURPOSE, kept, now + CODE_LIFE_MS)
    return proofPage(request, { back, asked, known })
  } catch (error) {
    if (!(error instanceof Refused) || error.refusal.code !== 'rate_limit_exceeded') throw error
    const { tooManyCodes } = textsOf(page.locale, signInTexts)
    const asked = request.form.get('proof_asked') ?? null
    return proofPage(request, { back, asked, trouble: { title: tooManyCodes }, status: 429 })
  }
}

async function takeCode(request: SignedInRequest, back: `/console${string}`): Promise<Response | null> {
  const { page, form, session } = request
  const { env, ipAddress, requestId } = page.ctx
  const texts = textsOf(page.locale, signInTexts)
  const now = realNow()
  const asked = form.get('proof_asked') ?? ''
  const opened = await openSealed<Confirming>(env.ENCRYPTION_KEY, PURPOSE, asked, now)
  if (opened?.session !== session.id) {
    return proofPage(request, { back, asked: null, trouble: { title: texts.codeOver }, status: 422 })
  }
  const digits = digitsIn(form.get('proof_code') ?? '')
  const wrong = (text: string, known?: WaysToProve) =>
    proofPage(request, {
      ...{ back, asked, trouble: { fields: { proof_code: text } }, status: 422 },
      ...(known && { known }),
    })
  if (digits === null) return wrong(texts.needCode)
  if (!(await isRightCode(env, opened.id, digits))) {
    const shared = sharedEnv(request)
    const [known] = await Promise.all([
      waysToProve(shared, session),
      noteWrongGuess(shared, opened.id, { ipAddress, requestId }, now),
    ])
    return (await brakeGuess(page)) ?? wrong(texts.wrongCode, known)
  }
  if (await proveByCode(env, session, opened.id, now)) return null
  return (await brakeGuess(page)) ?? wrong(texts.wrongCode)
}

async function proofPage(
  request: SignedInRequest,
  { back, asked, known, trouble = NO_TROUBLE, status = 200 }: Step,
): Promise<Response> {
  const { page, session } = request
  const texts = textsOf(page.locale, signInTexts)
  const { email } = session
  const ways = known ?? (await waysToProve(sharedEnv(request), session))
  const hasPasskey = takesPasskeys(page) && ways.hasPasskey
  const openId = ways.openId && isAtHome(page) && (await saysWhenSignedIn(ways.openId)) ? ways.openId : null
  const leave = (
    <p class="beside">
      <a href={back}>{textsOf(page.locale, shellTexts).cancel}</a>
    </p>
  )
  const title = texts.confirmTitle
  if (email === '' && !hasPasskey && !openId) {
    return entryPage({ page, title, lead: texts.confirmNoMail, status: 403, children: leave })
  }
  return entryPage({
    page,
    title,
    lead: email && fill(asked === null ? texts.confirmLead : texts.confirmSent, { email }),
    status,
    children: (
      <>
        <Form
          request={request}
          action={pathOf(request)}
          hidden={asked === null ? {} : { proof_asked: asked }}
          trouble={trouble}
        >
          <HiddenFields fields={fieldsOf(request)} />
          {asked !== null && (
            <>
              <CodeField page={page} name="proof_code" trouble={trouble} />
              <button type="submit" class="button wide" name="proof" value="code">
                {texts.confirm}
              </button>
            </>
          )}
          {email && (
            <button type="submit" class={asked === null ? 'button wide' : 'link'} name="proof" value="mail">
              {asked === null ? texts.sendCode : texts.newCode}
            </button>
          )}
          {hasPasskey && (
            <PasskeyButton
              page={page}
              does="get"
              from="/console/confirm/passkey"
              text={textsOf(page.locale, passkeyTexts).confirm}
              class="button soft-button wide"
              name="proof"
              value="passkey"
            />
          )}
          {openId && (
            <button type="submit" class="button soft-button wide" name="proof" value="openid">
              {fill(textsOf(page.locale, openIdTexts).confirm, { name: openId.name })}
            </button>
          )}
        </Form>
        {leave}
      </>
    ),
  })
}

/** What asks for a proof before a screen that needs one. */
function confirming(next: `/console${string}`): PendingForm {
  return { action: '/console/confirm', back: '/console', fields: [['next', next]] }
}

export const CONFIRM = confirming('/console')

/** For a screen that asks for a proof before it is shown: the same page, in front of it. */
export function askBefore(request: SignedInRequest, next: `/console${string}`): Promise<Response> {
  return askAgain(request, confirming(next), NO_TROUBLE, 200)
}

/** The page that asks for a proof, with a form that was sent to another address than this. */
export function askAgain(
  request: SignedInRequest,
  { action, back, fields }: PendingForm,
  trouble: Trouble,
  status: number,
): Promise<Response> {
  const all = (wanted: string) => fields.flatMap(([name, value]) => (name === wanted ? [value] : []))
  const form = Object.assign(new Map(fields), { all })
  const page = { ...request.page, url: new URL(action, request.page.url) }
  return proofPage({ ...request, page, form }, { back, asked: null, trouble, status })
}

async function saysWhenSignedIn(openId: OpenId): Promise<boolean> {
  const { canProveAt } = await import('../../people/sign-in/openid/at-provider.ts')
  return canProveAt(openId)
}
