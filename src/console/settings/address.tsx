import { deviceOf } from '../../pages/device.ts'
import { seeOther } from '../../pages/respond.ts'
import { withCookie } from '../../pages/session-cookie.ts'
import { changeAddress } from '../../people/sign-in/address/change-address.ts'
import { addressOf, CODE_LIFE_MS, FOR_AN_ADDRESS } from '../../people/sign-in/code.ts'
import { requestCode } from '../../people/sign-in/request-code.ts'
import { openSealed, sealUntil } from '../../platform/auth/seal-until.ts'
import { isEmailAddress } from '../../platform/http/email-address.ts'
import { Refused } from '../../platform/http/errors.ts'
import { addressTexts } from '../../platform/i18n/console/address.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { signInTexts } from '../../platform/i18n/console/sign-in.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { realNow } from '../../platform/limits/clock.ts'
import { knownAs, rememberBrowser } from '../known-browser.ts'
import { askForProof } from '../proven.ts'
import type { MemberRequest } from '../request.ts'
import { brakeGuess, CodeField, digitsIn } from '../sign-in/code.tsx'
import { NO_TROUBLE, type Trouble } from '../trouble.ts'
import { TextField } from '../views/fields.tsx'
import { Form } from '../views/form.tsx'
import { FormEnd } from '../views/form-end.tsx'
import { settingsShell } from './settings-shell.tsx'

const HERE = '/console/settings/address'
const PURPOSE = 'console-address'
/** A code that was asked for: good in the session that asked for it. */
type Asked = { readonly id: string; readonly email: string; readonly session: string }

/** Members who came by a link of the operator and have no address add one; others change theirs. */
export async function showOwnAddress(request: MemberRequest): Promise<Response> {
  return (await turnAway(request)) ?? askPage(request, '', NO_TROUBLE, 200)
}

/** A permanent way in is added only after a proof: here the link they came by is fresh, or they have a passkey. */
async function turnAway(request: MemberRequest): Promise<Response | null> {
  if (isByLink(request) && request.member.userEmail !== '') return linkPage(request)
  return askForProof(request, HERE)
}

/** A link carries the operator's word, which must not take somebody's address away from them. */
function isByLink({ session }: MemberRequest): boolean {
  return session.memberId !== null
}

function linkPage(request: MemberRequest): Response {
  const texts = textsOf(request.page.locale, addressTexts)
  return settingsShell({
    request,
    here: '/console/settings',
    status: 403,
    children: (
      <section class="panel" aria-label={texts.change}>
        <h2>{texts.change}</h2>
        <p>{texts.byLink}</p>
      </section>
    ),
  })
}

function askPage(request: MemberRequest, email: string, trouble: Trouble, status: number): Response {
  const { locale } = request.page
  const texts = textsOf(locale, addressTexts)
  const { email: label, sendCode } = textsOf(locale, signInTexts)
  return settingsShell({
    request,
    here: '/console/settings',
    status,
    children: (
      <Form request={request} action={HERE} trouble={trouble} class="panel">
        <h2>{isByLink(request) ? texts.title : texts.change}</h2>
        <p class="soft">
          {isByLink(request) ? texts.why : fill(texts.changeWhy, { email: request.session.email })}{' '}
          {texts.lead}
        </p>
        <TextField
          {...{ locale, trouble, label }}
          name="email"
          value={email}
          inputmode="email"
          autocomplete="email"
        />
        <FormEnd request={request} text={sendCode} />
      </Form>
    ),
  })
}

function codePage(
  request: MemberRequest,
  asked: { readonly email: string; readonly sealed: string },
  trouble: Trouble,
  status: number,
): Response {
  const texts = textsOf(request.page.locale, addressTexts)
  return settingsShell({
    request,
    here: '/console/settings',
    status,
    children: (
      <Form request={request} action={HERE} trouble={trouble} hidden={{ asked: asked.sealed }} class="panel">
        <h2>{isByLink(request) ? texts.title : texts.change}</h2>
        <p class="soft">{fill(texts.sent, { email: asked.email })}</p>
        <CodeField page={request.page} trouble={trouble} />
        <FormEnd request={request} text={isByLink(request) ? texts.save : texts.saveChange} />
        <p>
          <a href={HERE}>{texts.otherAddress}</a>
        </p>
      </Form>
    ),
  })
}

/** Sends the code, or accepts it. */
export async function addOwnAddress(request: MemberRequest): Promise<Response> {
  const away = await turnAway(request)
  if (away) return away
  const sealed = request.form.get('asked')
  return sealed === undefined ? mailCode(request) : takeCode(request, sealed)
}

async function mailCode(request: MemberRequest): Promise<Response> {
  const { page, form, session } = request
  const { env, ipAddress } = page.ctx
  const texts = textsOf(page.locale, signInTexts)
  const typed = form.get('email') ?? ''
  if (!isEmailAddress(typed)) return askPage(request, typed, { fields: { email: texts.needEmail } }, 422)
  const now = realNow()
  const email = addressOf(typed)
  if (email === session.email) {
    const { isYours } = textsOf(page.locale, addressTexts)
    return askPage(request, typed, { fields: { email: isYours } }, 422)
  }
  const browser = await knownAs(page, email)
  const { language: locale } = page.locale
  const wanted = { email, ipAddress, browser, locale, path: FOR_AN_ADDRESS, now }
  try {
    const { id } = await requestCode(env, wanted)
    const kept: Asked = { id, email, session: session.id }
    const sealed = await sealUntil(env.ENCRYPTION_KEY, PURPOSE, kept, now + CODE_LIFE_MS)
    return codePage(request, { email, sealed }, NO_TROUBLE, 200)
  } catch (error) {
    if (!(error instanceof Refused) || error.refusal.code !== 'rate_limit_exceeded') throw error
    return askPage(request, typed, { title: texts.tooManyCodes }, 429)
  }
}

async function takeCode(request: MemberRequest, sealed: string): Promise<Response> {
  const { page, form, session, memberships } = request
  const { env, ipAddress, requestId } = page.ctx
  const texts = textsOf(page.locale, signInTexts)
  const now = realNow()
  const asked = await openSealed<Asked>(env.ENCRYPTION_KEY, PURPOSE, sealed, now)
  if (asked?.session !== session.id) return askPage(request, '', { title: texts.codeOver }, 422)
  const { id, email } = asked
  const wrong = (text: string) => codePage(request, { email, sealed }, { fields: { code: text } }, 422)
  const digits = digitsIn(form.get('code') ?? '')
  if (digits === null) return wrong(texts.needCode)
  const change = { session, memberships, to: email, device: deviceOf(page.ctx.request) }
  const outcome = await changeAddress(env, change, { id, digits, ipAddress, requestId, now })
  if (outcome === 'changed') {
    return seeOther(withCookie(page, await rememberBrowser(page, email)), '/console/settings?done=1')
  }
  if (outcome === 'wrong') return (await brakeGuess(page)) ?? wrong(texts.wrongCode)
  return askPage(request, email, { fields: { email: textsOf(page.locale, addressTexts).taken } }, 422)
}
