import type { BookingRow } from '../../../platform/db/schema/bookings.ts'

type Searched = Pick<BookingRow, 'id' | 'startTime' | 'inviteeName' | 'inviteeEmail' | 'attendees' | 'guests'>

/** A booking of many people is found by the words of one bucket, and then read. */
const MOST_CHARACTERS = 400
const MORE = ' *'

/** Of the words that are stored, and what clients are sorted by: another number makes them be written anew. */
export const WORDS_VERSION = 3
/** The words of these are the same. The Worker before, which knows clients by words of their own, writes them anew. */
export const SAME_VERSIONS: readonly number[] = [2, WORDS_VERSION]

/** Marks of scripts whose readers may leave them out. In other scripts marks may be vowels, such as in Thai. */
const MARKS = /[\p{Mn}&&[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]]/gv
/** Characters that Unicode does not divide into a plain one and a mark. */
const PLAIN: Readonly<Record<string, string>> = {
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ł: 'l',
  þ: 'th',
  æ: 'ae',
  œ: 'oe',
  ς: 'σ',
}
const NOT_PLAIN = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g')

/** The words of a text, in small letters of the usual width without marks. */
export function wordsOf(text: string): string[] {
  return text
    .normalize('NFKD')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD')
    .replace(MARKS, '')
    .replace(NOT_PLAIN, (character) => PLAIN[character]!)
    .normalize('NFC')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '')
}

/** The words by which a booking is found. */
export function wordsOfPeople({ inviteeName, inviteeEmail, attendees, guests }: Searched): string[] {
  const people = [...attendees, ...(guests ?? [])].flatMap(({ name, email }) => [name ?? '', email])
  return [...new Set([inviteeName, inviteeEmail, ...people].flatMap(wordsOf))]
}

export function hasWords(row: Searched, wanted: readonly string[]): boolean {
  const words = wordsOfPeople(row)
  return wanted.every((begin) => words.some((word) => word.startsWith(begin)))
}

export function bucketOf(word: string): string {
  return [...word].slice(0, 2).join('')
}

/** The lines of bookings, by bucket. */
export function linesOf(rows: readonly Searched[]): ReadonlyMap<string, string> {
  const lines = new Map<string, string>()
  for (const row of rows) {
    const words = wordsOfPeople(row)
    const text = words.map((word) => ` ${word}`).join('')
    for (const [bucket, some] of Map.groupBy(words, bucketOf)) {
      const shown = text.length > MOST_CHARACTERS ? `${some.map((word) => ` ${word}`).join('')}${MORE}` : text
      lines.set(bucket, `${lines.get(bucket) ?? ''}${shown}\t${row.id}\t${row.startTime}\n`)
    }
  }
  return lines
}

export type Found = { readonly id: string; readonly startTime: number }

/** The bookings of lines that may have all words. */
export function foundIn(lines: string, wanted: readonly string[], found: Map<string, Found>): void {
  const begins = wanted.map((word) => ` ${word}`)
  for (const line of lines.split('\n')) {
    const [text, id, start] = line.split('\t')
    if (id === undefined || !begins.every((begin) => text!.includes(begin) || text!.endsWith(MORE))) continue
    found.set(`${id}/${start}`, { id, startTime: Number(start) })
  }
}

export function withoutLinesOf(lines: string, ids: ReadonlySet<string>): string {
  const kept = lines.split('\n').filter((line) => line !== '' && !ids.has(line.split('\t')[1]!))
  return kept.map((line) => `${line}\n`).join('')
}
