import type { Env } from '../../env.ts'
import type { Db } from '../db/client.ts'
import { keyCounterOf } from '../limits/key-counter.ts'
import { listKeyHashes, listMemberKeyHashes } from './key-hashes.ts'

/** Makes every key of the organization follow a change of its plan or clock at once. */
export async function forgetKeysOf(env: Env, db: Db, organizationId: string): Promise<void> {
  const hashes = await listKeyHashes(db, organizationId)
  await Promise.all(hashes.map((hash) => keyCounterOf(env, hash).forget()))
}

/** The same after the role or the membership of these members changed. */
export async function forgetKeysOfMembers(env: Env, db: Db, memberIds: readonly string[]): Promise<void> {
  const hashes = await listMemberKeyHashes(db, memberIds)
  await Promise.all(hashes.map((hash) => keyCounterOf(env, hash).forget()))
}
