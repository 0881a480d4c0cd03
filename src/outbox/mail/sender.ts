import type { Notifications } from '../../platform/db/schema/organizations.ts'
import type { OwnTexts } from './own-texts/own-texts.ts'

/** The sender of an email, with the organization's branding. */
export type Sender = {
  readonly name: string
  /** The language and the zone of people who have none of their own. */
  readonly locale: string
  readonly timezone: string
  readonly logoUrl: string | null
  readonly logoAltText: string | null
  readonly logoDarkUrl: string | null
  readonly accentColor: string | null
  readonly imprintUrl: string | null
  readonly privacyUrl: string | null
  /** Whether its emails name the product. */
  readonly namesProduct: boolean
}

/** The sender of emails to the operator. */
export const PRODUCT: Sender = {
  name: 'Holdfast',
  locale: 'en',
  timezone: 'UTC',
  logoUrl: null,
  logoAltText: null,
  logoDarkUrl: null,
  accentColor: null,
  imprintUrl: null,
  privacyUrl: null,
  namesProduct: false,
}

/** What emails to and about a member need to know. */
export type Person = {
  readonly id: string
  readonly email: string
  readonly name: string | null
  readonly timezone: string | null
  readonly locale: string | null
  readonly notifications: Partial<Notifications> | null
  readonly isOwner: boolean
}

/** What an email is about, besides the booking itself. */
export type About = {
  readonly title: string
  readonly color: string
  /** The event type's zone, used if people meet on site, or if the invitee's is unknown. */
  readonly timezone: string
  readonly conferencingProvider: string | null
  /** The path of its page, after `/book/`; null if it has no page that takes bookings. */
  readonly pagePath: string | null
  /** Whether invitees get emails; otherwise the organization sends its own. */
  readonly emailsInvitees: boolean
  /** 1 if nobody said which zone is the invitee's. */
  readonly zoneUnknown?: 0 | 1 | null
  /** The organization's own texts for this kind of email, by language; null where it can have none. */
  readonly texts?: OwnTexts | null
  readonly sender: Sender
}
