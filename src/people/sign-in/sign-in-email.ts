import { type Env, urlAt } from '../../env.ts'
import { letterBody } from '../../outbox/mail/email-body.ts'
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
  if (asked.path === FOR_AN_ADDRESS) return addressLetter(env, to, asked)
  if (!(asked.isMember || isSignUpOpen(env) || (await isMemberElsewhere(env, to)))) return null
  const locale = localeOf(asked.locale)
  const { letters } = locale
  const token = await linkTokenOf(env, asked.id)
  const content = {
    heading: letters.signInHeading,
    paragraphs: [letters.signInText],
    code: await digitsOf(env, asked.id),
    action: {
      label: letters.signInButton,
      url: urlAt(env, `/console/sign-in/link?token=${encodeURIComponent(token)}`),
    },
    reason: letters.signInUnasked,
  }
  return { to, subject: letters.signInSubject, ...letterBody({ locale, sender: PRODUCT }, content) }
}

/** To an address that nobody has yet: the code is good where it was asked for, so there is no button. */
async function addressLetter(env: Env, to: string, { id, locale: tag }: AskedSignIn): Promise<Email> {
  const locale = localeOf(tag)
  const { codeHeading, addressText, signInUnasked } = locale.letters
  const content = {
    heading: codeHeading,
    paragraphs: [addressText],
    code: await digitsOf(env, id),
    reason: signInUnasked,
  }
  return { to, subject: codeHeading, ...letterBody({ locale, sender: PRODUCT }, content) }
}
