import { createHash, randomUUID } from 'node:crypto'

/**
 * Ids look like Outlook's: long, URL-safe base64, case-sensitive and almost alike (OfficeDev/office-js#4729). Work accounts have
 * `AAMk…`, personal ones `AQMk…`, immutable ones `AAkALg…`.
 */

const digest = (text: string) => createHash('sha256').update(text).digest()
const letters = (text: string, count: number) => digest(text).toString('base64url').slice(0, count)

/** Where the date of an occurrence is put into the id of its series. */
const DATE_AT = 53
const DATE_MARK = 'FRAAgI'
const IMMUTABLE_START = 'AAkALgAAAAAAHYQDEapmEc2byACqAC-EWg0A'

export const newGuid = (): string => randomUUID()

export function guidOf(text: string): string {
  const hex = digest(text).toString('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}

/** Of a work account a GUID, of a personal one sixteen digits. */
export const userIdOf = (mail: string, isPersonal: boolean): string =>
  isPersonal ? digest(`user ${mail}`).toString('hex').slice(0, 16) : guidOf(`user ${mail}`)

const startOf = (isPersonal: boolean, userId: string) =>
  `${isPersonal ? 'AQMkA' : 'AAMkA'}${Buffer.from(userId.padEnd(36, '0').slice(0, 36)).toString('base64url')}`

export type ItemOf = { readonly userId: string; readonly isPersonal: boolean }

/** Of an event in a calendar; another one wherever it moves to. */
export const eventIdOf = (
  { userId, isPersonal }: ItemOf,
  key: number,
  folder: string,
  moves: number,
): string =>
  `${startOf(isPersonal, userId)}BGAAAAAA${letters(`${userId} folder ${folder}`, 24)}AAAAAAENAAA${letters(`${userId} item ${key} ${folder} ${moves}`, 22)}AAA=`

export const immutableEventIdOf = ({ userId }: ItemOf, key: number): string =>
  `${IMMUTABLE_START}${letters(`${userId} immutable item ${key}`, 28)}QAA`

export const calendarIdOf = ({ userId, isPersonal }: ItemOf, key: number): string =>
  `${startOf(isPersonal, userId)}BGAAAAAA${letters(`${userId} calendar ${key}`, 24)}AAAAAAEGAAA=`

export const immutableCalendarIdOf = ({ userId }: ItemOf, key: number): string =>
  `${IMMUTABLE_START}${letters(`${userId} immutable calendar ${key}`, 22)}AAA=`

const dayOf = (date: string) => Math.round(Date.parse(`${date}T00:00:00Z`) / 86_400_000)

/** Of one occurrence of a series, by the local date on which it would start. */
export function occurrenceIdOf(seriesId: string, date: string): string {
  const day = Buffer.alloc(3)
  day.writeUIntBE(dayOf(date), 0, 3)
  const at = seriesId.startsWith(IMMUTABLE_START) ? IMMUTABLE_START.length : DATE_AT
  return `${seriesId.slice(0, at)}${DATE_MARK}${day.toString('base64url')}${seriesId.slice(at)}`
}

export function partsOfOccurrence(id: string): { seriesId: string; date: string } | null {
  const at = id.startsWith(IMMUTABLE_START) ? IMMUTABLE_START.length : DATE_AT
  if (id.slice(at, at + DATE_MARK.length) !== DATE_MARK) return null
  const day = Buffer.from(id.slice(at + DATE_MARK.length, at + DATE_MARK.length + 4), 'base64url').readUIntBE(
    0,
    3,
  )
  return {
    seriesId: id.slice(0, at) + id.slice(at + DATE_MARK.length + 4),
    date: new Date(day * 86_400_000).toISOString().slice(0, 10),
  }
}

export const isWellFormedId = (id: string): boolean => /^(AAMkA|AQMkA|AAkALg)[\w-]{40,}={0,2}$/.test(id)

/** Sixteen bytes of the mailbox, then the number of the change. */
export function changeKeyOf(userId: string, version: number): string {
  const number = Buffer.alloc(6)
  number.writeUIntBE(version, 0, 6)
  return Buffer.concat([digest(`changes ${userId}`).subarray(0, 16), number]).toString('base64')
}

const GLOBAL_ID = '040000008200E00074C5B7101A82E008'

export const iCalUIdOf = (userId: string, key: number): string =>
  `${GLOBAL_ID}00000000${digest(`uid ${userId} ${key}`).toString('hex').slice(0, 64).toUpperCase()}`

/**
 * Each occurrence has one of its own, in which its date is written where the series has zeros.
 * learn.microsoft.com/graph/api/resources/event (`iCalUId`)
 */
export function iCalUIdOfOccurrence(iCalUId: string, date: string): string {
  if (!iCalUId.startsWith(GLOBAL_ID)) return iCalUId
  const [year, month, day] = date.split('-').map(Number)
  const hex = [year! >> 8, year! & 255, month!, day!].map((byte) => byte.toString(16).padStart(2, '0'))
  return `${GLOBAL_ID}${hex.join('').toUpperCase()}${iCalUId.slice(GLOBAL_ID.length + 8)}`
}
