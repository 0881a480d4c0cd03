import { MINUTE_MS } from '../../core/time-units.ts'
import type { Env } from '../../env.ts'
import type { ImageRow } from '../../platform/db/schema/images.ts'

type Bound = Pick<Env, 'MEDIA'>
/** What an image is shown as. */
export type Use = Pick<ImageRow, 'organizationId' | 'use'>
export type Kept = Use & Pick<ImageRow, 'hash'>

function keyOf({ organizationId, use, hash }: Kept): string {
  return `${organizationId}/${use}/${hash}`
}

export async function putObject({ MEDIA }: Bound, kept: Kept, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  await MEDIA?.put(keyOf(kept), bytes)
}

export async function restoreObject(env: Bound, kept: Kept, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const isThere = await env.MEDIA?.head(keyOf(kept))
  if (!isThere) await putObject(env, kept, bytes)
}

export async function getObject({ MEDIA }: Bound, kept: Kept): Promise<Uint8Array<ArrayBuffer> | null> {
  const object = await MEDIA?.get(keyOf(kept))
  return object ? new Uint8Array(await object.arrayBuffer()) : null
}

/** Deletes everything of a use. */
export async function deleteObjects({ MEDIA }: Bound, use: Use): Promise<void> {
  await deleteWhere(MEDIA, use, () => true)
}

/** The row of an upload is committed after its object, within this time. */
const COMMIT_MS = 5 * MINUTE_MS

/**
 * Deletes what is no longer shown there: all but `shown`. Younger objects stay, because a row may follow, except for the one that
 * was `replaced`.
 */
export async function deleteOthers(
  { MEDIA }: Bound,
  use: Use,
  { shown, replaced }: { readonly shown: string | null; readonly replaced: string | null },
): Promise<void> {
  const keyOrNull = (hash: string | null) => hash && keyOf({ ...use, hash })
  const [stays, goes] = [keyOrNull(shown), keyOrNull(replaced)]
  const until = Date.now() - COMMIT_MS
  await deleteWhere(
    MEDIA,
    use,
    ({ key, uploaded }) => key !== stays && (key === goes || uploaded.getTime() < until),
  )
}

async function deleteWhere(
  bucket: Env['MEDIA'],
  { organizationId, use }: Use,
  isMeant: (object: R2Object) => boolean,
): Promise<void> {
  if (!bucket) return
  const { objects } = await bucket.list({ prefix: `${organizationId}/${use}/` })
  const keys = objects.filter(isMeant).map(({ key }) => key)
  if (keys.length > 0) await bucket.delete(keys)
}
