import type { Db } from '../../platform/db/client.ts'
import { listSlugs } from './queries.ts'

const MAX_LENGTH = 63
/** Leaves room for a hyphen and a number. */
const MAX_WORDS_LENGTH = 57
/** Beyond this many organizations of one name, a random number is used. */
const MOST_NUMBERS = 1000

/** A free slug for a name: `Zoë & Co.` becomes `zoe-co`, then `zoe-co-2`, `zoe-co-3`. One query. */
export async function chooseSlug(db: Db, name: string, attempt: number): Promise<string> {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const words = trim(plain.replace(/[^a-z0-9]+/g, '-')) || 'organization'
  const short = trim(words.slice(0, MAX_WORDS_LENGTH))
  const taken = await listSlugs(db, short, words.length > MAX_WORDS_LENGTH, MOST_NUMBERS)

  const whole = trim(words.slice(0, MAX_LENGTH))
  if (!taken.has(whole)) return whole
  if (taken.size === MOST_NUMBERS) return `${short}-${crypto.getRandomValues(new Uint16Array(1))[0]}`
  // Those who lost a number to each other spread over the next ones instead of meeting again.
  let skip = Math.floor(Math.random() * (attempt - 1) * 4)
  let number = 2
  while (taken.has(numbered(words, number)) || skip-- > 0) number++
  return numbered(words, number)
}

function numbered(words: string, number: number): string {
  const ending = `-${number}`
  return trim(words.slice(0, MAX_LENGTH - ending.length)) + ending
}

function trim(slug: string): string {
  return slug.replace(/^-+|-+$/g, '')
}
