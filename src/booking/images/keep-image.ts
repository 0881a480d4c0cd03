import type { Env } from '../../env.ts'
import { openDb } from '../../platform/db/client.ts'
import { newId } from '../../platform/db/ids.ts'
import type { ImageRow } from '../../platform/db/schema/images.ts'
import { hashIn } from './address.ts'
import { deleteOthers, putObject, restoreObject, type Use } from './bucket.ts'
import { MOST_IN_ROW, type SentImage } from './read-image.ts'
import { selectImageHash } from './statements.ts'

/** The row of an image; what it has no room for is in the bucket before. */
export async function keepImage(
  env: Pick<Env, 'MEDIA'>,
  use: Use,
  { bytes, hash, format }: SentImage,
  now: number,
): Promise<ImageRow> {
  const isSmall = isForRow(bytes)
  if (!isSmall) await putObject(env, { ...use, hash }, bytes)
  const content = isSmall ? bytes.toBase64() : null
  return { ...use, id: newId(use.organizationId), hash, format, content, createdAt: now }
}

function isForRow({ byteLength }: SentImage['bytes']): boolean {
  return byteLength <= MOST_IN_ROW
}

/**
 * Deletes what of a use is in the bucket and shown no longer, once that is committed. `before` is the address until then. What was
 * `sent` may have been deleted since then by an upload that replaced the same image.
 */
export async function sweepBucket(
  env: Env,
  use: Use,
  before: string | null,
  sent: SentImage | null = null,
): Promise<void> {
  if (!env.MEDIA) return
  const [row] = await selectImageHash(openDb(env, 'decide'), use)
  if (sent && row?.hash === sent.hash && !isForRow(sent.bytes))
    await restoreObject(env, { ...use, hash: sent.hash }, sent.bytes)
  await deleteOthers(env, use, { shown: row?.hash ?? null, replaced: hashIn(env, before) })
}
