import type { Env } from '../../env.ts'
import { toHex } from '../../platform/auth/secret.ts'
import { invalid } from '../../platform/http/errors.ts'
import { readBytes } from '../../platform/http/read-body.ts'
import { problem } from '../../platform/reasons/reason.ts'
import { type Format, formatOf } from './format.ts'

/** What a row of the database has room for, in Base64. */
export const MOST_IN_ROW = 200 * 1024
const MOST_IN_BUCKET = 2 * 1024 * 1024

/** How many bytes an image can have. */
export function mostOfImage({ MEDIA }: Pick<Env, 'MEDIA'>): number {
  return MEDIA ? MOST_IN_BUCKET : MOST_IN_ROW
}

/** An image that was sent. */
export type SentImage = {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly format: Format
  readonly hash: string
}

/** The image that is the body of a request. */
export async function readImage(env: Pick<Env, 'MEDIA'>, request: Request): Promise<SentImage> {
  return imageOf(await readBytes(request, mostOfImage(env)))
}

async function imageOf(bytes: Uint8Array<ArrayBuffer>): Promise<SentImage> {
  if (bytes.byteLength === 0) throw invalid({ body: problem('required') })
  const format = formatOf(bytes)
  if (format === null) throw invalid({ body: problem('not_an_image') })
  return { bytes, format, hash: await hashOf(bytes) }
}

export async function hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return toHex(await crypto.subtle.digest('SHA-256', bytes))
}
