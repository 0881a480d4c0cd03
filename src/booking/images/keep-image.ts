import type { Env } from '../../env.ts'
import { openDb } from '../../platform/db/client.ts'
import { newId } from '../../platform/db/ids.ts'
import type { ImageRow } from '../../platform/db/schema/images.ts'
import { deleteOthers, putObject, type Use } from './bucket.ts'
import { MOST_IN_ROW, type SentImage } from './read-image.ts'
import { selectImageHash } from './statements.ts'

/** The row of an image; what it has no room for is in the bucket before. */
export async function keepImage(
  env: Pick<Env, 'MEDIA'>,
  use: Use,
  { bytes, hash, format }: SentImage,
  now: number,
): Promise<ImageRow> {
  const isSmall = bytes.byteLength <= MOST_IN_ROW
  if (!isSmall) await putObject(env, { ...use, hash }, bytes)
  const content = isSmall ? bytes.toBase64() : null
  return { ...use, id: newId(use.organizationId), hash, format, content, createdAt: now }
}

/** Deletes what of a use is in the bucket and shown no longer, once that is committed. */
export async function sweepBucket(env: Env, use: Use): Promise<void> {
  if (!env.MEDIA) return
  const [row] = await selectImageHash(openDb(env, 'decide'), use)
  await deleteOthers(env, use, row?.hash ?? null)
}
