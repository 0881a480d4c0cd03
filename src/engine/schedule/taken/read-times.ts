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

/** The end of a holder's id: enough to find their hold among those at one start. */
export function tagOf(holderId: string): string {
  return holderId.slice(-TAG_LENGTH)
}

/** The holds together, each once: queries about neighbouring ranges overlap. */
export function joinPacked(texts: readonly (string | null)[]): string | null {
  return joined(texts, ';')
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

export function readHolds(text: string | null, base: number, resourceId: string): Hold[] {
  const holds: Hold[] = []
  const reader = new Reader(text ?? '')
  while (reader.hasMore) {
    const unit = reader.readUnit()
    const start = base + reader.readNumber() * unit
    const end = start + reader.readNumber() * unit
    const holder = reader.readText()
    const meetsAt = reader.isInside ? start + reader.readNumber() * unit : start
    const expiresAt = reader.isInside ? reader.readNumber() : null
    holds.push({ resourceId, start, end, holder, keptBy: '', meetsAt, expiresAt })
  }
  return holds
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
