import { crc32 } from 'node:zlib'
import { randomSecret, shardOfSecret } from './secret.ts'

const SHAPE = /^hf_(?:live|test)_[\w-]{43}[0-9A-Za-z]{6}$/
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const PREFIX_LENGTH = 'hf_live_'.length
const SECRET_LENGTH = 43
const CHECKSUM_LENGTH = 6

/**
 * `hf_live_` or `hf_test_`, a secret in 43 characters which leads to its shard, and six by which anybody can tell a key from
 * a made-up text.
 */
export function newApiKey(mode: 'live' | 'test', shard = 0): string {
  const key = `hf_${mode}_${randomSecret(shard)}`
  return key + checksumOf(key)
}

/** The shard that a key leads to. */
export function shardOfKey(key: string): number {
  return shardOfSecret(key.slice(PREFIX_LENGTH, PREFIX_LENGTH + SECRET_LENGTH))
}

/** Whether the text has the shape of a key, with a checksum that fits. */
export function isKeyShaped(text: string): boolean {
  return SHAPE.test(text) && text.endsWith(checksumOf(text.slice(0, -CHECKSUM_LENGTH)))
}

/** The CRC-32 (that of zlib and PNG) of the text, in base 62, most significant digit first, padded with zeros. */
function checksumOf(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let at = 0; at < CHECKSUM_LENGTH; at++) {
    digits = DIGITS[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}
