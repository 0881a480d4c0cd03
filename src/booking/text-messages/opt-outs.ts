import type { Env } from '../../env.ts'
import { openDb } from '../../platform/db/client.ts'
import { shardsOf } from '../../platform/db/shards.ts'
import { numberHash } from './open-provider.ts'
import { deleteOptOut, insertOptOut } from './queries.ts'

/** A number gets no more texts from a sender, of any organization: every database knows it. */
export async function optOut(env: Env, sender: string, number: string, now: number): Promise<void> {
  const hash = await numberHash(env, number)
  await Promise.all(
    shardsOf(env).map((home) => {
      const db = openDb(home, 'decide')
      return db.batch([insertOptOut(db, sender, hash, now)])
    }),
  )
}

export async function optIn(env: Env, sender: string, number: string): Promise<void> {
  const hash = await numberHash(env, number)
  await Promise.all(
    shardsOf(env).map((home) => {
      const db = openDb(home, 'decide')
      return db.batch([deleteOptOut(db, sender, hash)])
    }),
  )
}
