import type { Clocks } from './event-clock.ts'
import { lengthOf } from './event-length.ts'
import { beside, firstMoment, type Length, type Moment } from './moment.ts'
import type { EventText } from './read-components.ts'
import { type Recurrence, readRecurrence } from './recurrence.ts'

/** One VEVENT: an event or series, or a changed occurrence of one. */
export type EventPart = {
  readonly uid: string
  readonly revision: readonly [sequence: number, stamp: number]
  /** Whether it says that it changes an occurrence, also where it does not say which. */
  readonly isChange: boolean
  /** The occurrence that it changes; null also where that cannot be understood. */
  readonly recurrenceId: Moment | null
  readonly isThisAndFuture: boolean
  readonly begin: Moment
  readonly length: Length
  readonly recurrence: Recurrence
  readonly isCancelled: boolean
  /** Whether its time is taken: it is not transparent, cancelled, or declined by the owner. */
  readonly isBusy: boolean
  /** Whether its end could not be understood. */
  readonly isGuess: boolean
}

/** What Exchange calls transparent: MS-OXCICAL, section 2.1.3.1.1.20.25. */
const FREE_AT_MICROSOFT = ['FREE', 'WORKINGELSEWHERE']

/** Null where the event has no start that can be understood. The zone of `series` is that of a floating RECURRENCE-ID. */
export function readPart(
  text: EventText,
  clocks: Clocks,
  owner: ReadonlySet<string>,
  series: Moment | null,
  countsFree = false,
): EventPart | null {
  const { lines } = text
  const begin = firstMoment(lines.get('DTSTART') ?? [], clocks)
  if (begin === null) return null
  const { length, isGuess } = lengthOf(text, begin, clocks)
  const identifiers = lines.get('RECURRENCE-ID') ?? []
  const recurrenceId = firstMoment(identifiers, beside(series ?? begin, clocks))
  const range = identifiers[0]?.parameters.range
  const stamp = firstMoment(lines.get('DTSTAMP') ?? [], { ...clocks, ofCalendar: clocks.ofUtc })
  return {
    uid: uidOf(text),
    revision: [Number(firstOf(text, 'SEQUENCE')) || 0, stamp?.instant ?? 0],
    isChange: identifiers.length > 0,
    recurrenceId,
    isThisAndFuture: String(range).toUpperCase() === 'THISANDFUTURE',
    begin,
    length,
    recurrence: readRecurrence(text, begin, length, beside(begin, clocks)),
    isCancelled: isCancelled(text),
    isBusy: isBusy(text, owner, countsFree),
    isGuess,
  }
}

export function uidOf(text: EventText): string {
  return firstOf(text, 'UID')
}

/** `owner` holds addresses as `plainAddress` writes them. With `countsFree`, transparent events are busy, too. */
export function isBusy(text: EventText, owner: ReadonlySet<string>, countsFree = false): boolean {
  const transparency = firstOf(text, 'TRANSP').toUpperCase()
  const isFree = transparency
    ? transparency === 'TRANSPARENT'
    : FREE_AT_MICROSOFT.includes(firstOf(text, 'X-MICROSOFT-CDO-BUSYSTATUS').toUpperCase())
  return !isCancelled(text) && (countsFree || !isFree) && !isDeclined(text, owner)
}

function isCancelled(text: EventText): boolean {
  return firstOf(text, 'STATUS').toUpperCase() === 'CANCELLED'
}

/** The first value that the event has under a name; empty where it has none. */
function firstOf({ lines }: EventText, name: string): string {
  return lines.get(name)?.find(({ value }) => value !== null)?.value ?? ''
}

function isDeclined({ lines }: EventText, owner: ReadonlySet<string>): boolean {
  return (lines.get('ATTENDEE') ?? []).some(({ parameters, value }) => {
    if (String(parameters.partstat).toUpperCase() !== 'DECLINED') return false
    return [value, parameters.email].some((address) => owner.has(plainAddress(String(address ?? ''))))
  })
}

/** An address in the form for comparing: without `mailto:`, in lower case, without the Kelvin sign and its like. */
export function plainAddress(address: string): string {
  return address
    .trim()
    .replace(/^mailto:/i, '')
    .replace(/\p{Lu}/gu, (letter) => {
      const small = letter.toLowerCase()
      return small.toUpperCase() === letter ? small : letter
    })
}
