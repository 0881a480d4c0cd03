import { type Env, urlAt } from '../../env.ts'
import { emailBody } from '../../outbox/mail/email-body.ts'
import { PRODUCT } from '../../outbox/mail/sender.ts'
import type { Email } from '../../platform/email/email-sender.ts'
import { localeOf } from '../../platform/i18n/locale.ts'
import { digitsOf, FOR_AN_ADDRESS, linkTokenOf } from './code.ts'
import { isMemberElsewhere } from './memberships.ts'
import { isSignUpOpen } from './sign-up.ts'

export type AskedSignIn = {
  readonly id: string
  readonly locale: string
  readonly path: string
  readonly expiresAt: number
  readonly isUsed: boolean
  readonly isMember: boolean
}

/** The email with the code; null when the person may not sign in, or the code has expired. */
export async function signInEmail(
  env: Env,
  to: string,
  asked: AskedSignIn,
  now: number,
): Promise<Email | null> {
  if (asked.isUsed || asked.expiresAt <= now) return null
  if (asked.path === FOR_AN_ADDRESS) return addressEmail(env, to, asked)
  if (!(asked.isMember || isSignUpOpen(env) || (await isMemberElsewhere(env, to)))) return null
  const locale = localeOf(asked.locale)
  const { emails } = locale
  const token = await linkTokenOf(env, asked.id)
  const content = {
    heading: emails.signInHeading,
    paragraphs: [emails.signInText],
    code: await digitsOf(env, asked.id),
    action: {
      label: emails.signInButton,
      url: urlAt(env, `/console/sign-in/link?token=${encodeURIComponent(token)}`),
    },
    reason: emails.signInUnasked,
  }
  return { to, subject: emails.signInSubject, ...emailBody({ locale, sender: PRODUCT }, content) }
}

/** To an address that nobody has yet: the code is good where it was asked for, so there is no button. */
async function addressEmail(env: Env, to: string, { id, locale: tag }: AskedSignIn): Promise<Email> {
  const locale = localeOf(tag)
  const { codeHeading, addressText, signInUnasked } = locale.emails
  const content = {
    heading: codeHeading,
    paragraphs: [addressText],
    code: await digitsOf(env, id),
    reason: signInUnasked,
  }
  return { to, subject: codeHeading, ...emailBody({ locale, sender: PRODUCT }, content) }
}
