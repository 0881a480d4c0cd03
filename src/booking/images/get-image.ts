import type { Env } from '../../env.ts'
import { openDb } from '../../platform/db/client.ts'
import { shardOfDigits, withoutShard } from '../../platform/db/shard-digit.ts'
import { inShard } from '../../platform/db/shards.ts'
import { notFound } from '../../platform/http/errors.ts'
import { getObject } from './bucket.ts'
import { EXTENSIONS } from './format.ts'
import { selectImage } from './statements.ts'

/** An uploaded image by its address. */
export async function getImage(env: Env, digits: string, extension: string) {
  const db = openDb(inShard(env, shardOfDigits(digits)), 'decide')
  const [row] = await selectImage(db, withoutShard(digits))
  const bytes = row && (row.content === null ? await getObject(env, row) : Uint8Array.fromBase64(row.content))
  if (!row || !bytes || EXTENSIONS[row.format] !== extension) throw notFound('page')
  return { type: `image/${row.format}`, bytes }
}
