import type { SlotRules } from './hold.ts'

/** Returns the start itself if it fits, otherwise an instant before which none does. Starts ascend. */
export type NextFit = (start: number) => number

type Question<Item extends object> = {
  readonly rules: SlotRules
  /** Ascending. */
  readonly starts: readonly number[]
  /** What an item fits may depend on nothing but the item and the rules. */
  readonly items: readonly Item[]
  /** So many items are searched for each start. */
  readonly count: number
}

/** In rows, one per start: the places of items that fit it, -1 for each that is missing. */
type Places = Int32Array

/** To ask fewer items again takes less time than to remember their answers. */
export const MANY = 64

type Known = { readonly question: Question<object>; readonly places: Places }

/** The last answer, by the first and the last item of its question. */
const known = new WeakMap<object, Known>()

/**
 * For each start, `count` items that fit it, or all that do if there are fewer. If the question was asked before with mostly
 * the same items, only the other ones are asked, and what had one of these: the change of one host is one of many.
 */
export function findEach<Item extends object>(
  question: Question<Item>,
  fitOf: (item: Item, place: number) => NextFit,
): Places {
  const { starts, items, count } = question
  const before = recall(question)
  const places = before ? before.places.slice() : new Int32Array(starts.length * count).fill(-1)
  const isNew = items.map((item, place) => before?.question.items[place] !== item)
  const lacking: number[] = []
  const again: number[] = []
  for (let row = 0; row < starts.length; row++) {
    const end = (row + 1) * count
    let hasNew = false
    for (let at = end - count; at < end; at++) hasNew ||= places[at]! >= 0 && isNew[places[at]!]!
    if (hasNew) {
      places.fill(-1, end - count, end)
      again.push(row)
    } else if (places[end - 1]! < 0) lacking.push(row)
  }
  search(question, fitOf, places, lacking, (place) => isNew[place]!)
  search(question, fitOf, places, again, () => true)
  remember(question, places)
  return places
}

/** Fills rows that lack items: item after item, each for the starts that still lack one. */
function search<Item extends object>(
  { starts, items, count }: Question<Item>,
  fitOf: (item: Item, place: number) => NextFit,
  places: Places,
  rows: readonly number[],
  isAsked: (place: number) => boolean,
): void {
  const left = Int32Array.from(rows)
  let length = left.length
  for (let place = 0; place < items.length && length > 0; place++) {
    if (!isAsked(place)) continue
    const nextFit = fitOf(items[place]!, place)
    let kept = 0
    for (let at = 0; at < length; ) {
      const start = starts[left[at]!]!
      const from = nextFit(start)
      const isFit = from <= start
      const next = isFit ? at + 1 : firstFrom(starts, left, length, from, at)
      if (!isFit || !fill(places, left[at]! * count, count, place)) {
        if (kept === at) kept = next
        else for (let from = at; from < next; from++) left[kept++] = left[from]!
      }
      at = next
    }
    length = kept
  }
}

/** Whether the row that begins there is full then. */
function fill(places: Places, from: number, count: number, place: number): boolean {
  let at = from
  while (places[at]! >= 0) at += 1
  places[at] = place
  return at === from + count - 1
}

/** Where the first of the rows after place `after` is whose start is not before `instant`. */
function firstFrom(
  starts: readonly number[],
  rows: Int32Array,
  length: number,
  instant: number,
  after: number,
): number {
  let step = 1
  while (after + step < length && starts[rows[after + step]!]! < instant) step *= 2
  let [from, to] = [after + (step >> 1) + 1, Math.min(after + step, length)]
  while (from < to) {
    const middle = (from + to) >> 1
    if (starts[rows[middle]!]! < instant) from = middle + 1
    else to = middle
  }
  return from
}

function recall(question: Question<object>): Known | undefined {
  const { items } = question
  const among = items.length === 0 ? [] : [known.get(items[0]!), known.get(items.at(-1)!)]
  return among.find((one) => one !== undefined && isAlike(one.question, question))
}

function isAlike(one: Question<object>, other: Question<object>): boolean {
  return (
    one.rules.durationMs === other.rules.durationMs &&
    one.rules.bufferBeforeMs === other.rules.bufferBeforeMs &&
    one.rules.bufferAfterMs === other.rules.bufferAfterMs &&
    one.count === other.count &&
    one.items.length === other.items.length &&
    one.starts.length === other.starts.length &&
    one.starts.every((start, at) => start === other.starts[at])
  )
}

/** A question about one start is a decision, which is not asked again. */
function remember(question: Question<object>, places: Places): void {
  const { starts, items } = question
  if (starts.length < 2 || items.length < MANY) return
  const { durationMs, bufferBeforeMs, bufferAfterMs } = question.rules
  const rules = { durationMs, bufferBeforeMs, bufferAfterMs }
  const answer = { question: { ...question, rules }, places }
  known.set(items[0]!, answer)
  known.set(items.at(-1)!, answer)
}
