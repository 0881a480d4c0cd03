import type { Statement } from '../../db/client.ts'
import type { Message } from '../../queue/messages.ts'

export type Posting = {
  /** For the batch that makes the letter necessary. */
  readonly statements: readonly Statement[]
  /** Told to the queue after the commit. */
  readonly messages: readonly Message[]
  /** Tells them. It never fails: what was not announced is found by the sweep. */
  readonly announce: () => Promise<void>
}
