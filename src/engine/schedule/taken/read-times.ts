import type { Interval } from '../../../core/interval.ts'
import { DAY_MS, MINUTE_MS } from '../../../core/time-units.ts'
import type { Hold } from '../schedule.ts'

/*
 * Taken times as text, because a value of D1 takes two million bytes and JSON of JSON costs more than the decision. Times
 * are separated by semicolons. Each is its start after `base`, its length, and for a hold its holder's tag, how long after
 * that start the meeting begins, and its deadline. They are minutes, or after an exclamation mark milliseconds; a deadline is
 * always an instant.
 */

export const TAG_LENGTH = 6
/** Busy times are kept by fortnight, and each counts from the beginning of its own. */
export const FORTNIGHT_MS = 14 * DAY_MS
/** How many fortnights of holds are packed of what a question reads: all that a month touches, with what is read around it. */
export const MOST_PACKED = 5

/** The end of a holder's id: enough to find their hold among those at one start. */
export function tagOf(holderId: string): string {
  return holderId.slice(-TAG_LENGTH)
}

/** The holds together, each once: queries about neighbouring ranges overlap. */
export function joinPacked(texts: readonly (string | null)[]): string | null {
  const pieces = texts.flatMap((text) => text?.split('|') ?? [])
  const [packed, others] = [pieces.filter(isPacked), pieces.filter((piece) => !isPacked(piece))]
  return joined([...packed, joined(others.filter(Boolean), ';')], '|')
}

/** Whether a piece is a packed fortnight, which counts from its own beginning. */
function isPacked(piece: string): boolean {
  return piece.includes(':')
}

/** The same for the busy times of fortnights. */
export function joinFortnights(texts: readonly (string | null)[]): string | null {
  return joined(texts, '|')
}

function joined(texts: readonly (string | null)[], separator: string): string | null {
  const all = new Set(texts.flatMap((text) => text?.split(separator) ?? []))
  return all.size === 0 ? null : [...all].join(separator)
}

/** The busy times of fortnights. */
export function readBusy(text: string | null): Interval[] {
  const times: Interval[] = []
  for (const one of text?.split('|') ?? []) {
    const at = one.indexOf(':')
    const base = Number(one.slice(0, at)) * FORTNIGHT_MS
    const reader = new Reader(one.slice(at + 1))
    while (reader.hasMore) {
      const unit = reader.readUnit()
      const start = base + reader.readNumber() * unit
      times.push({ start, end: start + reader.readNumber() * unit })
    }
  }
  return times
}

/** Which holds count: those that start after the first and before the second instant. */
export type Window = { readonly after: number; readonly before: number }

const ALWAYS: Window = { after: Number.NEGATIVE_INFINITY, before: Number.POSITIVE_INFINITY }

/** The holds of a resource, in the order in which they start. Packed fortnights reach further than the question. */
export function readHolds(
  text: string | null,
  base: number,
  resourceId: string,
  { after, before }: Window = ALWAYS,
): Hold[] {
  const holds: Hold[] = []
  let isInOrder = true
  let last = Number.NEGATIVE_INFINITY
  for (const piece of text?.split('|') ?? []) {
    const colon = isPacked(piece) ? piece.indexOf(':') : -1
    const origin = colon === -1 ? base : Number(piece.slice(0, colon)) * FORTNIGHT_MS
    const reader = new Reader(piece.slice(colon + 1))
    while (reader.hasMore) {
      const unit = reader.readUnit()
      const start = origin + reader.readNumber() * unit
      const end = start + reader.readNumber() * unit
      const holder = reader.readText()
      const meetsAt = reader.isInside ? start + reader.readNumber() * unit : start
      const expiresAt = reader.isInside ? reader.readNumber() : null
      if (start <= after || start >= before) continue
      isInOrder &&= start > last
      last = start
      holds.push({ resourceId, start, end, holder, keptBy: '', meetsAt, expiresAt })
    }
  }
  return isInOrder ? holds : inOrder(holds)
}

/** How many of the holds were read one by one. */
export function countUnpacked(text: string | null): number {
  const pieces = text?.split('|') ?? []
  return pieces.reduce((sum, piece) => {
    return piece === '' || isPacked(piece) ? sum : sum + piece.split(';').length
  }, 0)
}

/** Only one hold of a resource starts at an instant. */
function inOrder(holds: readonly Hold[]): Hold[] {
  return [...new Map(holds.map((hold) => [hold.start, hold])).values()].sort(
    (one, other) => one.start - other.start,
  )
}

const [COMMA, SEMICOLON, EXCLAMATION, MINUS, ZERO] = [44, 59, 33, 45, 48]

/** Reads character by character: a team has a hundred thousand times, and splitting makes a text of each number. */
class Reader {
  readonly #text: string
  #at = 0
  /** Whether the time has more than was read of it. */
  isInside = true

  constructor(text: string) {
    this.#text = text
  }

  get hasMore(): boolean {
    return this.#at < this.#text.length
  }

  readUnit(): number {
    if (this.#text.charCodeAt(this.#at) !== EXCLAMATION) return MINUTE_MS
    this.#at += 1
    return 1
  }

  readNumber(): number {
    const sign = this.#text.charCodeAt(this.#at) === MINUS ? -1 : 1
    if (sign === -1) this.#at += 1
    let value = 0
    for (;;) {
      const code = this.#text.charCodeAt(this.#at)
      if (this.#isEnd(code)) return sign * value
      value = value * 10 + code - ZERO
    }
  }

  readText(): string {
    const from = this.#at
    while (!this.#isEnd(this.#text.charCodeAt(this.#at)));
    return this.#text.slice(from, this.#at - 1)
  }

  /** Moves on. NaN is the end of the text. */
  #isEnd(code: number): boolean {
    this.#at += 1
    this.isInside = code === COMMA
    return this.isInside || code === SEMICOLON || Number.isNaN(code)
  }
}
