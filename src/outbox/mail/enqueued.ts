import type { Statement } from '../../platform/db/client.ts'
import type { Email } from '../../platform/email/email-sender.ts'
import type { Message } from '../../platform/queue/messages.ts'
import type { EmailRow } from './queries.ts'

export type Enqueued = {
  /** For the batch that makes the email necessary. */
  readonly statements: readonly Statement[]
  /** Sent to the queue after the commit. */
  readonly messages: readonly Message[]
  /** Sends them. It never fails: the sweep finds what was not announced. */
  readonly announce: () => Promise<void>
}

type Recipient = {
  readonly id: string
  readonly email: string
  /** Emails to members do not count toward the daily limit of an address. */
  readonly isMember?: true
  /** Whether it is the invitee of a booking. */
  readonly is_primary?: boolean
}

/** Emails to several people about one subject. Each is written when it is sent. */
export type Mailing = Pick<EmailRow, 'subjectId'> & {
  readonly kind: Exclude<EmailRow['kind'], 'ready'>
  readonly occasion?: number
  readonly onceKey: string
  /** Set if its batch is refused when it is repeated. */
  readonly isOnce?: true
  readonly to: readonly Recipient[]
  /** The bookings in whose history it is, as what, and when by the clock of their mode. */
  readonly history?: {
    readonly bookingIds: readonly string[]
    readonly about: string
    readonly at: number
  }
  /** Writes the email for one recipient; in a sandbox, at once. Null if the recipient gets none. */
  readonly write: (recipientId: string) => Promise<Email | null>
}
