import type { ImageRow } from '../../platform/db/schema/images.ts'

export type Format = ImageRow['format']

export const EXTENSIONS: Readonly<Record<Format, string>> = { png: 'png', jpeg: 'jpg', webp: 'webp' }
export const CONTENT_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/webp']
/** What the endpoints that take one say about it. */
export const IMAGE =
  'A PNG, JPEG or WebP image of at most 200 KB, or 2 MB where the deployment has a bucket for images. Its bytes decide, not its content type.'

const PNG = '\x89PNG\r\n\x1a\n'
const JPEG = '\xff\xd8\xff'
const WEBP = /^RIFF.{4}WEBP/s

/** What an image is by its first bytes, whatever it was called; null for everything else. */
export function formatOf(bytes: Uint8Array): Format | null {
  const head = String.fromCharCode(...bytes.subarray(0, 12))
  if (head.startsWith(PNG)) return 'png'
  if (head.startsWith(JPEG)) return 'jpeg'
  return WEBP.test(head) ? 'webp' : null
}
