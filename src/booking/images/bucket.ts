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

export async function getObject({ MEDIA }: Bound, kept: Kept): Promise<Uint8Array<ArrayBuffer> | null> {
  const object = await MEDIA?.get(keyOf(kept))
  return object ? new Uint8Array(await object.arrayBuffer()) : null
}

/** Deletes what is no longer shown there. Of two uploads at once, the later row stays: `hash` is the one that it has. */
export async function deleteOthers({ MEDIA }: Bound, { organizationId, use }: Use, hash: string | null) {
  if (!MEDIA) return
  const stays = hash === null ? null : keyOf({ organizationId, use, hash })
  const { objects } = await MEDIA.list({ prefix: `${organizationId}/${use}/` })
  const keys = objects.map(({ key }) => key).filter((key) => key !== stays)
  if (keys.length > 0) await MEDIA.delete(keys)
}
