import type { Statement } from '../../platform/db/client.ts'
import type { Email } from '../../platform/email/email-sender.ts'
import type { Message } from '../../platform/queue/messages.ts'
import type { EmailRow } from './queries.ts'

export type Enqueued = {
  /** For the batch that makes the letter necessary. */
  readonly statements: readonly Statement[]
  /** Told to the queue after the commit. */
  readonly messages: readonly Message[]
  /** Tells them. It never fails: what was not announced is found by the sweep. */
  readonly announce: () => Promise<void>
}

type Recipient = {
  readonly id: string
  readonly email: string
  /** Letters to members do not count towards the daily limit of an address. */
  readonly isMember?: true
  /** Whether it is the invitee of a booking. */
  readonly is_primary?: boolean
}

/** Letters to several people about one thing. Each is written when it is sent. */
export type Mailing = Pick<EmailRow, 'subjectId'> & {
  readonly kind: Exclude<EmailRow['kind'], 'ready'>
  readonly occasion?: number
  readonly onceKey: string
  /** Set where its batch is refused when it comes again. */
  readonly isOnce?: true
  readonly to: readonly Recipient[]
  /** The text for one of them; written at once in a sandbox, which keeps it. */
  readonly write: (recipientId: string) => Promise<Email>
}
