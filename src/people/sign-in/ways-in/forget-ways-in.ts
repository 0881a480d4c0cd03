import type { Env } from '../../../env.ts'
import { bareError } from '../../../platform/db/bare-error.ts'
import { commitBatch, openDb } from '../../../platform/db/client.ts'
import { shardOfEnv, shardsOf } from '../../../platform/db/shards.ts'
import { addressOf } from '../code.ts'
import { endPasskeysAndAccounts, endSessionsAndCodes, selectStillUsed } from './queries.ts'

type Leaving = { readonly memberIds: readonly string[]; readonly emails: readonly string[] }

/**
 * For members who leave or have left, and for addresses: the next owner of an address must not inherit somebody else's ways in.
 * What belongs to an address is removed once nobody else has it. Throws when a database does not answer.
 */
export async function endWaysIn(env: Env, { memberIds, emails }: Leaving): Promise<void> {
  const addresses = [...new Set(emails.map(addressOf))].filter((email) => email !== '')
  const ids = JSON.stringify(memberIds)
  const homes = shardsOf(env)
  const used = await Promise.all(
    homes.map((home) => selectStillUsed(openDb(home, 'decide'), JSON.stringify(addresses), ids)),
  )
  const kept = new Set(used.flat().map(({ email }) => email))
  const gone = { memberIds: ids, emails: JSON.stringify(addresses.filter((email) => !kept.has(email))) }
  await Promise.all(
    homes.map((home) => {
      const db = openDb(home, 'decide')
      const isDirectory = shardOfEnv(home) === 0
      return commitBatch(db, [
        ...endSessionsAndCodes(db, gone),
        ...(isDirectory ? endPasskeysAndAccounts(db, gone) : []),
      ])
    }),
  )
}

/** The same after somebody left or was erased. It never throws: what is left opens nothing in the meantime. */
export async function forgetWaysIn(env: Env, leaving: Leaving): Promise<void> {
  try {
    await endWaysIn(env, leaving)
  } catch (error) {
    console.error(JSON.stringify({ kept: 'ways in of somebody who left', cause: bareError(error).stack }))
  }
}
