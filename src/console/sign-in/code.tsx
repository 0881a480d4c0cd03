import type { Page } from '../../pages/page.ts'
import { tooMany } from '../../pages/refusal-pages.tsx'
import { seeOther } from '../../pages/respond.ts'
import { withCookie } from '../../pages/session-cookie.ts'
import { HiddenFields } from '../../pages/views/hidden-fields.tsx'
import { CODE_LIFE_MS } from '../../people/sign-in/code.ts'
import { redeemDigits } from '../../people/sign-in/redeem-code.ts'
import { requestCode } from '../../people/sign-in/request-code.ts'
import { isSignUpOpen } from '../../people/sign-in/sign-up.ts'
import { openSealed, sealUntil } from '../../platform/auth/seal-until.ts'
import { isEmailAddress } from '../../platform/http/email-address.ts'
import { Refused } from '../../platform/http/errors.ts'
import { brakeNetwork } from '../../platform/http/network-brake.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { passkeyTexts } from '../../platform/i18n/console/passkeys.ts'
import { signInTexts } from '../../platform/i18n/console/sign-in.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { realNow } from '../../platform/limits/clock.ts'
import { askedOf, keepAsked } from '../cookies.ts'
import { knownAs } from '../known-browser.ts'
import { nextPath } from '../next-path.ts'
import { OpenIdButton } from '../openid/enter-button.tsx'
import { takesPasskeys } from '../passkeys/ask-browser.ts'
import { PasskeyButton } from '../passkeys/passkey-button.tsx'
import type { AnonymousRequest } from '../request.ts'
import { NO_TROUBLE, type Trouble } from '../trouble.ts'
import { entryPage } from '../views/entry-page.tsx'
import { TextField } from '../views/fields.tsx'
import { comeIn } from './come-in.ts'

/** What this browser asked for: only it can answer with the digits. */
type AskedCode = { readonly id: string; readonly email: string; readonly path: string }
const PURPOSE = 'console-code'

export async function showSignIn({ page }: AnonymousRequest): Promise<Response> {
  const { searchParams } = page.url
  const trouble = searchParams.has('unsent')
    ? { title: textsOf(page.locale, signInTexts).unsent }
    : NO_TROUBLE
  return signInPage(page, '', nextPath(searchParams.get('next')), trouble, 200)
}

export function signInPage(
  page: Page,
  email: string,
  next: string,
  trouble: Trouble,
  status: number,
): Response {
  const texts = textsOf(page.locale, signInTexts)
  return entryPage({
    page,
    title: texts.title,
    lead: isSignUpOpen(page.ctx.env) ? `${texts.lead} ${texts.leadNew}` : texts.lead,
    status,
    children: (
      <>
        <form method="post" action="/console/sign-in" novalidate data-once={page.locale.texts.sending}>
          <HiddenFields fields={[['next', next]]} />
          {trouble.title && (
            <p class="problem" role="alert">
              {trouble.title}
            </p>
          )}
          <TextField
            locale={page.locale}
            name="email"
            label={texts.email}
            value={email}
            trouble={trouble}
            inputmode="email"
            autocomplete="email"
            isFocused
          />
          <button type="submit" class="button wide">
            {texts.sendCode}
          </button>
        </form>
        {takesPasskeys(page) && (
          <form method="post" action="/console/sign-in/passkey">
            <HiddenFields fields={[['next', next]]} />
            <PasskeyButton
              page={page}
              does="get"
              from="/console/sign-in/passkey/options"
              text={textsOf(page.locale, passkeyTexts).signIn}
              class="button soft-button wide"
            />
          </form>
        )}
        <OpenIdButton page={page} next={next} />
      </>
    ),
  })
}

/** Sends a code, with the same answer for every address. */
export async function askForCode({ page, form }: AnonymousRequest): Promise<Response> {
  const { ctx, locale } = page
  const texts = textsOf(locale, signInTexts)
  const email = form.get('email') ?? ''
  const path = nextPath(form.get('next'))
  if (!isEmailAddress(email))
    return signInPage(page, email, path, { fields: { email: texts.needEmail } }, 422)
  const now = realNow()
  const browser = await knownAs(page, email)
  const asked = { email, ipAddress: ctx.ipAddress, browser, locale: locale.language, path, now }
  try {
    const { id } = await requestCode(ctx.env, asked)
    const kept: AskedCode = { id, email, path }
    const sealed = await sealUntil(ctx.env.ENCRYPTION_KEY, PURPOSE, kept, now + CODE_LIFE_MS)
    return seeOther(withCookie(page, keepAsked(sealed)), '/console/sign-in/code')
  } catch (error) {
    if (!(error instanceof Refused) || error.refusal.code !== 'rate_limit_exceeded') throw error
    return signInPage(page, email, path, { title: `${texts.tooManyCodes} ${texts.otherWaysIn}` }, 429)
  }
}

async function readAsked(page: Page): Promise<AskedCode | null> {
  const sealed = askedOf(page)
  if (sealed === null) return null
  return openSealed<AskedCode>(page.ctx.env.ENCRYPTION_KEY, PURPOSE, sealed, realNow())
}

export async function showCode({ page }: AnonymousRequest): Promise<Response> {
  const asked = await readAsked(page)
  return asked ? codePage(page, asked, NO_TROUBLE, 200) : seeOther(page, '/console/sign-in')
}

function codePage(page: Page, asked: AskedCode, trouble: Trouble, status: number): Response {
  const texts = textsOf(page.locale, signInTexts)
  // Where anybody may come in, every address is sent one.
  const sent = isSignUpOpen(page.ctx.env) ? texts.confirmSent : texts.codeSent
  return entryPage({
    page,
    title: texts.checkMail,
    lead: fill(sent, { email: asked.email }),
    status,
    children: (
      <>
        <form method="post" action="/console/sign-in/code" novalidate data-once={page.locale.texts.sending}>
          <CodeField page={page} trouble={trouble} />
          <button type="submit" class="button wide">
            {texts.signIn}
          </button>
        </form>
        <div class="beside">
          <form method="post" action="/console/sign-in" class="inline">
            <HiddenFields
              fields={[
                ['email', asked.email],
                ['next', asked.path],
              ]}
            />
            <button type="submit" class="link">
              {texts.newCode}
            </button>
          </form>
          <a href="/console/sign-in">{texts.otherAddress}</a>
        </div>
      </>
    ),
  })
}

type CodeFieldProps = { readonly page: Page; readonly trouble: Trouble; readonly name?: string }

export function CodeField({ page, trouble, name = 'code' }: CodeFieldProps) {
  return (
    <TextField
      locale={page.locale}
      name={name}
      label={textsOf(page.locale, signInTexts).code}
      value=""
      trouble={trouble}
      inputmode="numeric"
      autocomplete="one-time-code"
      isFocused
    />
  )
}

/** Six digits as they were typed or pasted, from any script and with any gaps; null when there are not six digits. */
export function digitsIn(text: string): string | null {
  const plain = text
    .normalize('NFKC')
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replace(/[\s-]/g, '')
  return /^\d{6}$/.test(plain) ? plain : null
}

export async function enterCode({ page, form }: AnonymousRequest): Promise<Response> {
  const { ctx, locale } = page
  const texts = textsOf(locale, signInTexts)
  const asked = await readAsked(page)
  if (!asked) return seeOther(page, '/console/sign-in')
  const digits = digitsIn(form.get('code') ?? '')
  if (digits === null) return codePage(page, asked, { fields: { code: texts.needCode } }, 422)
  const code = await redeemDigits(ctx.env, asked.id, digits, {
    ipAddress: ctx.ipAddress,
    requestId: ctx.requestId,
    now: realNow(),
  })
  const signedIn = code && (await comeIn(page, { email: code.email, memberId: null }, nextPath(code.path)))
  if (signedIn) return signedIn
  return (await brakeGuess(page)) ?? codePage(page, asked, { fields: { code: texts.wrongCode } }, 422)
}

/** A wrong proof counts for the network that sent it, as wrong keys and tokens do. */
export async function brakeGuess(page: Page): Promise<Response | null> {
  const headers = new Headers()
  const braked = await brakeNetwork(page.ctx.env, 'FAILED_LIMIT', page.ctx.ipAddress, headers)
  return braked && tooMany(page, Number(headers.get('Retry-After')))
}
