import type { Notifications } from '../../platform/db/schema/organizations.ts'

/** Who a letter is from, as the organization wants to be seen. */
export type Sender = {
  readonly name: string
  /** The language and the zone of whoever has none of their own. */
  readonly locale: string
  readonly timezone: string
  readonly logoUrl: string | null
  readonly logoAltText: string | null
  readonly logoDarkUrl: string | null
  readonly accentColor: string | null
  readonly imprintUrl: string | null
  readonly privacyUrl: string | null
  /** Whether its letters say what they were made with. */
  readonly namesProduct: boolean
}

/** Of letters to the operator. */
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

/** A member, as letters to them and about them need to know. */
export type Person = {
  readonly id: string
  readonly email: string
  readonly name: string | null
  readonly timezone: string | null
  readonly locale: string | null
  readonly notifications: Partial<Notifications> | null
  readonly isOwner: boolean
}

/** What a letter is about, besides the booking itself. */
export type About = {
  readonly title: string
  readonly color: string
  /** The zone of the event type, whose clock counts where people meet on site. */
  readonly timezone: string
  readonly conferencingProvider: string | null
  /** Of its page, after `/book/`; null where nobody can book on one. */
  readonly pagePath: string | null
  readonly sender: Sender
}
