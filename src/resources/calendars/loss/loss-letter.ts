import { mailboxOf } from '../../../limits/mailbox.ts'
import type { Email } from '../../../providers/email/email-sender.ts'
import { type Line, letterBody } from '../../mail/letter-body.ts'
import type { Affected } from './queries.ts'

const PROVIDERS = {
  caldav: 'CalDAV',
  calendar_a: 'Google Calendar',
  calendar_b: 'Microsoft 365',
  ics: 'feed',
} as const

/** Whose calendars they are and who owns the organization; once where that is the same mailbox. */
export function toldOfLoss({ memberEmail, ownerEmail }: Affected): readonly string[] {
  const isOwners = mailboxOf(memberEmail) === mailboxOf(ownerEmail)
  return [memberEmail, ...(isOwners ? [] : [ownerEmail])].filter((address) => address !== '')
}

/** Tells of calendars of one account that were lost together. */
export function lossLetter(lost: readonly [Affected, ...Affected[]], to: string): Email {
  const [{ connection, memberName, organizationName }] = lost
  const { provider, accountEmail, status, syncError } = connection
  const hasEnded = status === 'revoked' || status === 'expired'
  const account = `${PROVIDERS[provider]} account ${accountEmail}`
  const subject = hasEnded
    ? `Access to the ${account} has ended`
    : `The ${account} cannot be read at the moment`
  const lines: Line[] = [
    `${memberName || accountEmail} connected it with ${organizationName}. These calendars cannot be read any more:`,
    { label: 'Calendars', quote: lost.map(({ connection: { name } }) => name).join('\n') },
    ...(syncError === null ? [] : [`What was told of it: ${syncError}`]),
    'What was last known of them goes on deciding what can be booked, so appointments made since then may be booked over. Event types that are set to close in such a case take no bookings.',
    hasEnded
      ? 'They are not asked again by themselves. Connect the account once more, and all goes on as it was.'
      : 'They are asked again every few minutes, and you need not do anything where the fault passes. If you changed the password or withdrew the permission, connect the account once more.',
  ]
  return { to, subject, ...letterBody({ heading: subject, lines }) }
}
