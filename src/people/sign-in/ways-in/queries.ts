import type { Db, Statement } from '../../../platform/db/client.ts'
import { preparedQuery, preparedStatement } from '../../../platform/db/prepared.ts'

/** Lists as JSON: of members, and of addresses in lower case. */
export type Gone = { readonly memberIds: string; readonly emails: string }

const IDS = '(SELECT value FROM json_each(?1))'

/** Of these addresses, those that somebody else has in this database than these members. */
export const selectStillUsed = preparedQuery<
  { readonly email: string },
  readonly [emails: string, memberIds: string]
>(
  `SELECT DISTINCT lower(user_email) AS email FROM members
  WHERE lower(user_email) IN ${IDS} AND id NOT IN (SELECT value FROM json_each(?2))`,
)

/** What these members and addresses came in with, in one database. */
export function endSessionsAndCodes(db: Db, { memberIds, emails }: Gone): Statement[] {
  return [
    endSessionsOfMembers(db, memberIds),
    endLinksOfMembers(db, memberIds),
    endSessionsOfAddresses(db, emails),
    endCodesOfAddresses(db, emails),
  ]
}

const endSessionsOfMembers = preparedStatement<readonly [memberIds: string]>(
  `DELETE FROM console_sessions WHERE member_id IS NOT NULL AND member_id IN ${IDS}`,
)
const endLinksOfMembers = preparedStatement<readonly [memberIds: string]>(
  `DELETE FROM console_links WHERE created_at >= 0 AND member_id IN ${IDS}`,
)
const endSessionsOfAddresses = preparedStatement<readonly [emails: string]>(
  `DELETE FROM console_sessions WHERE email <> '' AND email IN ${IDS} AND member_id IS NULL`,
)
const endCodesOfAddresses = preparedStatement<readonly [emails: string]>(
  `DELETE FROM sign_in_codes WHERE email IN ${IDS}`,
)

/** Their passkeys and accounts at a provider: all of them are in the directory. */
export function endPasskeysAndAccounts(directory: Db, { memberIds, emails }: Gone): Statement[] {
  return [
    ...[endPasskeysOfMembers, endAccountsOfMembers].map((end) => end(directory, memberIds)),
    ...[endPasskeysOfAddresses, endAccountsOfAddresses].map((end) => end(directory, emails)),
  ]
}

const endPasskeysOfMembers = preparedStatement<readonly [memberIds: string]>(
  `DELETE FROM passkeys WHERE member_id IS NOT NULL AND member_id IN ${IDS}`,
)
const endAccountsOfMembers = preparedStatement<readonly [memberIds: string]>(
  `DELETE FROM openid_accounts WHERE member_id IS NOT NULL AND member_id IN ${IDS}`,
)
const endPasskeysOfAddresses = preparedStatement<readonly [emails: string]>(
  `DELETE FROM passkeys WHERE email <> '' AND email IN ${IDS} AND member_id IS NULL`,
)
const endAccountsOfAddresses = preparedStatement<readonly [emails: string]>(
  `DELETE FROM openid_accounts WHERE email <> '' AND email IN ${IDS} AND member_id IS NULL`,
)
