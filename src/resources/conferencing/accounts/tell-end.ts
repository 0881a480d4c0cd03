import { SYSTEM } from '../../../auth/caller.ts'
import type { Db, Statement } from '../../../db/client.ts'
import { newId } from '../../../db/ids.ts'
import type { Env } from '../../../env.ts'
import type { RealMs } from '../../../limits/clock.ts'
import { mailboxOf } from '../../../limits/mailbox.ts'
import { tellQueue } from '../../../queue/messages.ts'
import { recordActivity } from '../../activity/statements.ts'
import { letterBody } from '../../mail/letter-body.ts'
import { postLetter } from '../../mail/post-letter.ts'
import { type AccountRow, findTold } from './queries.ts'

export type TellingOfEnd = {
  /** For the batch that ends the account. */
  readonly statements: readonly Statement[]
  /** Call it after the commit. It never fails: the sweep finds what was not announced. */
  readonly announce: () => Promise<void>
}

/** Tells of an account that makes no meetings any more: the log, its member and the owner. */
export async function tellOfEnd(
  env: Env,
  db: Db,
  account: AccountRow,
  error: string,
  now: RealMs,
): Promise<TellingOfEnd> {
  const { memberEmail, ownerEmail, organizationName } = await findTold(db, account)
  const isOwners = mailboxOf(memberEmail) === mailboxOf(ownerEmail)
  const recipients = [memberEmail, ...(isOwners ? [] : [ownerEmail])].filter((address) => address !== '')
  const told = newId()
  const letters = await Promise.all(
    recipients.map((to, at) => {
      const onceKey = `${told}/conferencing-ended/${at}`
      return postLetter(
        env,
        db,
        account,
        { onceKey, to, ...letter(account, organizationName, error) },
        { now },
      )
    }),
  )
  const { provider, accountEmail } = account
  return {
    statements: [
      recordActivity(db, account, SYSTEM, {
        action: 'conferencing.ended',
        resourceType: 'conferencing_connection',
        resourceId: account.id,
        changes: { provider, account_email: accountEmail, error },
      }),
      ...letters.flatMap(({ statements }) => statements),
    ],
    announce: () => tellQueue(env, ...letters.flatMap(({ messages }) => messages)),
  }
}

function letter({ accountEmail }: AccountRow, organizationName: string, error: string) {
  const subject = `Access to the Zoom account ${accountEmail ?? ''} has ended`.replace('  ', ' ')
  const lines = [
    `No Zoom meetings are made with it for ${organizationName} any more. What was told of it: ${error}`,
    'Bookings get no link until the account is connected once more; then the links that are missing are made.',
  ]
  return { subject, ...letterBody({ heading: subject, lines }) }
}
