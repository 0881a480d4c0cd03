import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import type { Challenge } from './challenges.ts'

/** A server in trouble says so too (nextcloud/server#36431): only a day of it ends a connection. */
export class PasswordRefused extends CalendarError {
  /** `url` is the one that was requested. */
  constructor(url: string) {
    const { hostname } = new URL(url)
    const hint = APP_PASSWORDS.find(([domain]) => hostname === domain || hostname.endsWith(`.${domain}`))?.[1]
    super('refused', ['The server refuses the user name or password.', hint].filter(Boolean).join(' '))
  }
}

/** https://support.apple.com/102654, https://www.fastmail.help/hc/articles/360058752854, https://help.yahoo.com/kb/SLN15241.html */
const APP_PASSWORDS = [
  [
    'icloud.com',
    'iCloud takes app passwords only, and all of them end when the password of the Apple Account is changed: create another one at account.apple.com.',
  ],
  [
    'fastmail.com',
    'Fastmail takes app passwords only, with the access “Calendars (CalDAV)”: create one in the settings of Fastmail.',
  ],
  ['yahoo.com', 'Yahoo takes app passwords only: create one in the security settings of the Yahoo account.'],
] as const

/** The server asks for another way to sign in than those that are known here, or that the account may still use. */
export class SignInNotOffered extends CalendarError {
  /** The names of the ways that it offers. */
  readonly offers: readonly string[]

  constructor(challenges: readonly Challenge[], isDigestOnly: boolean) {
    const offers = [...new Set(challenges.map(({ scheme }) => scheme))].slice(0, 20)
    super('refused', messageOf(offers, isDigestOnly, challenges))
    this.offers = offers
  }
}

function messageOf(
  offers: readonly string[],
  isDigestOnly: boolean,
  challenges: readonly Challenge[],
): string {
  if (offers.length === 0) return 'The server refuses access and does not say how to sign in.'
  const digest = challenges.find(({ scheme }) => scheme.toLowerCase() === 'digest')
  if (digest) {
    const { algorithm = 'MD5', qop = 'none' } = digest.params
    return `The server asks for a kind of Digest that is not supported (algorithm ${algorithm}, qop ${qop}).`.slice(
      0,
      300,
    )
  }
  const names = offers.join(', ').slice(0, 200)
  return isDigestOnly
    ? `The server offered Digest before and now offers only ${names}. The password is not sent in plain: if this is meant, disconnect the account and connect it again.`
    : `The server offers no way to sign in that is supported here (Digest, Basic), only ${names}.`
}
