import { openSealed, sealUntil } from '../../auth/seal-until.ts'
import { isEmailAddress } from '../../http/email-address.ts'
import { Refused } from '../../http/errors.ts'
import { addressTexts } from '../../i18n/console/address.ts'
import { textsOf } from '../../i18n/console/catalogue.ts'
import { signInTexts } from '../../i18n/console/sign-in.ts'
import { fill } from '../../i18n/plural.ts'
import { realNow } from '../../limits/clock.ts'
import { seeOther } from '../../pages/respond.ts'
import { addressOf, CODE_LIFE_MS, FOR_AN_ADDRESS } from '../../resources/sign-in/code.ts'
import { takeOwnAddress } from '../../resources/sign-in/own-address.ts'
import { redeemDigits } from '../../resources/sign-in/redeem-code.ts'
import { requestCode } from '../../resources/sign-in/request-code.ts'
import { askForProof } from '../proven.ts'
import { brakeGuess, CodeField, digitsIn } from '../sign-in/code.tsx'
import { NO_TROUBLE, type Trouble } from '../told.ts'
import { TextField } from '../views/fields.tsx'
import { Form } from '../views/form.tsx'
import { FormEnd } from '../views/form-end.tsx'
import type { Visit } from '../visit.ts'
import { settingsShell } from './settings-shell.tsx'

const HERE = '/console/settings/address'
const PURPOSE = 'console-address'
/** A code that was asked for: good in the session that asked for it. */
type Asked = { readonly id: string; readonly email: string; readonly session: string }

/** Whoever came by a link of the operator and has no address adds one. Who has one cannot change it here. */
export async function showOwnAddress(visit: Visit): Promise<Response> {
  return (await turnAway(visit)) ?? askPage(visit, '', NO_TROUBLE, 200)
}

/** Who adds a way in for ever proves first who they are: here the link they came by is fresh, or they have a passkey. */
async function turnAway(visit: Visit): Promise<Response | null> {
  if (visit.member.userEmail !== '') return seeOther(visit.page, '/console/settings')
  return askForProof(visit, HERE)
}

function askPage(visit: Visit, email: string, trouble: Trouble, status: number): Response {
  const { locale } = visit.page
  const texts = textsOf(locale, addressTexts)
  const { email: label, sendCode } = textsOf(locale, signInTexts)
  return settingsShell({
    visit,
    here: '/console/settings',
    status,
    children: (
      <Form visit={visit} action={HERE} trouble={trouble} class="panel">
        <h2>{texts.title}</h2>
        <p class="soft">
          {texts.why} {texts.lead}
        </p>
        <TextField
          {...{ locale, trouble, label }}
          name="email"
          value={email}
          inputmode="email"
          autocomplete="email"
        />
        <FormEnd visit={visit} text={sendCode} />
      </Form>
    ),
  })
}

function codePage(
  visit: Visit,
  asked: { readonly email: string; readonly sealed: string },
  trouble: Trouble,
  status: number,
): Response {
  const texts = textsOf(visit.page.locale, addressTexts)
  return settingsShell({
    visit,
    here: '/console/settings',
    status,
    children: (
      <Form visit={visit} action={HERE} trouble={trouble} hidden={{ asked: asked.sealed }} class="panel">
        <h2>{texts.title}</h2>
        <p class="soft">{fill(texts.sent, { email: asked.email })}</p>
        <CodeField page={visit.page} trouble={trouble} />
        <FormEnd visit={visit} text={texts.save} />
        <p>
          <a href={HERE}>{texts.otherAddress}</a>
        </p>
      </Form>
    ),
  })
}

/** Mails the code, or takes it. */
export async function addOwnAddress(visit: Visit): Promise<Response> {
  const away = await turnAway(visit)
  if (away) return away
  const sealed = visit.form.get('asked')
  return sealed === undefined ? mailCode(visit) : takeCode(visit, sealed)
}

async function mailCode(visit: Visit): Promise<Response> {
  const { page, form, session } = visit
  const { env, ipAddress } = page.ctx
  const texts = textsOf(page.locale, signInTexts)
  const typed = form.get('email') ?? ''
  if (!isEmailAddress(typed)) return askPage(visit, typed, { fields: { email: texts.needEmail } }, 422)
  const now = realNow()
  const email = addressOf(typed)
  const wanted = { email, ipAddress, locale: page.locale.language, path: FOR_AN_ADDRESS, now }
  try {
    const { id } = await requestCode(env, wanted)
    const kept: Asked = { id, email, session: session.id }
    const sealed = await sealUntil(env.ENCRYPTION_KEY, PURPOSE, kept, now + CODE_LIFE_MS)
    return codePage(visit, { email, sealed }, NO_TROUBLE, 200)
  } catch (error) {
    if (!(error instanceof Refused) || error.refusal.code !== 'rate_limit_exceeded') throw error
    return askPage(visit, typed, { title: texts.tooManyCodes }, 429)
  }
}

async function takeCode(visit: Visit, sealed: string): Promise<Response> {
  const { page, form, session, member } = visit
  const { env, ipAddress, requestId } = page.ctx
  const texts = textsOf(page.locale, signInTexts)
  const now = realNow()
  const asked = await openSealed<Asked>(env.ENCRYPTION_KEY, PURPOSE, sealed, now)
  if (asked?.session !== session.id) return askPage(visit, '', { title: texts.codeOver }, 422)
  const { id, email } = asked
  const wrong = (text: string) => codePage(visit, { email, sealed }, { fields: { code: text } }, 422)
  const digits = digitsIn(form.get('code') ?? '')
  if (digits === null) return wrong(texts.needCode)
  const code = await redeemDigits(env, id, digits, { ipAddress, requestId, now })
  if (code?.email !== email) return (await brakeGuess(page)) ?? wrong(texts.wrongCode)
  if (await takeOwnAddress(env, member, email, page.ctx, now)) {
    return seeOther(page, '/console/settings?done=1')
  }
  return askPage(visit, email, { fields: { email: textsOf(page.locale, addressTexts).taken } }, 422)
}
