import { formatOf } from '../../booking/images/format.ts'
import { hashOf } from '../../booking/images/read-image.ts'
import { problem } from '../../platform/reasons/reason.ts'
import type { Fields } from './check-line.ts'
import { lineError } from './read-lines.ts'

/** Everybody finds an image by its hash, so a file must not say what the image of somebody else looks like. */
export async function assertImage(number: number, { content, hash, format }: Fields): Promise<void> {
  if (typeof content !== 'string') throw lineError(number, 'content', problem('required'))
  let bytes: Uint8Array<ArrayBuffer>
  try {
    bytes = Uint8Array.fromBase64(content)
  } catch {
    throw lineError(number, 'content', problem('not_base64'))
  }
  if (formatOf(bytes) !== format) throw lineError(number, 'format', problem('not_valid'))
  if ((await hashOf(bytes)) !== hash) throw lineError(number, 'hash', problem('not_valid'))
}
