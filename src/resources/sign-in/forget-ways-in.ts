import { bareError } from '../../db/bare-error.ts'
import { commitBatch, openDb } from '../../db/client.ts'
import { shardOfEnv, shardsOf } from '../../db/shards.ts'
import type { Env } from '../../env.ts'
import { addressOf } from './code.ts'
import { everyMembershipOf } from './memberships.ts'
import { deleteAccountsOf } from './openid/queries.ts'
import { deletePasskeysOf } from './passkeys/queries.ts'
import { deleteSessionsOf } from './queries.ts'
import type { Person } from './sessions.ts'

/**
 * After somebody left, or was erased: whoever is given their address later must not be met by ways in that were theirs. What
 * stands for an address goes once nobody has it any more. It never throws: what is left opens nothing meanwhile.
 */
export async function forgetWaysIn(
  env: Env,
  { memberId, email }: { readonly memberId: string | null; readonly email: string },
): Promise<void> {
  const address = addressOf(email)
  try {
    const isFree = address !== '' && (await everyMembershipOf(env, address)).length === 0
    const gone: readonly Person[] = [
      ...(memberId === null ? [] : [{ memberId, email: address }]),
      ...(isFree ? [{ memberId: null, email: address }] : []),
    ]
    if (gone.length > 0) await Promise.all(shardsOf(env).map((home) => forgetIn(home, gone)))
  } catch (error) {
    console.error(JSON.stringify({ kept: 'ways in of somebody who left', cause: bareError(error).stack }))
  }
}

/** Sessions are in any database, all else in the directory. */
async function forgetIn(home: Env, gone: readonly Person[]): Promise<void> {
  const db = openDb(home, 'decide')
  const isDirectory = shardOfEnv(home) === 0
  await commitBatch(
    db,
    gone.flatMap((person) => [
      deleteSessionsOf(db, person),
      ...(isDirectory ? [deletePasskeysOf(db, person), deleteAccountsOf(db, person)] : []),
    ]),
  )
}
