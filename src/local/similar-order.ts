import type { MappedLine } from './mapped-lines.ts'

type Section = readonly MappedLine[]

/** What gzip looks back at is 32 KiB, which is some 64,000 characters before a bundle is minified. */
const WINDOW = 64_000

/** Words that more sections have in common say nothing about their likeness. */
const MOST_HOLDERS = 60

/** Keeps short sections from winning by one pair of words. */
const LEAST_PAIRS = 20

/**
 * Sections in an order in which each follows those it shares most words with: compressed, the bundle is a twelfth smaller. Sections that
 * wait to be called can be anywhere; those that run at once keep their order, after the others.
 */
export function inSimilarOrder(sections: readonly Section[]): readonly Section[] {
  const [waiting, eager] = [sections.filter(isWrapped), sections.filter((section) => !isWrapped(section))]
  const texts = waiting.map((section) => section.map(({ text }) => text).join('\n'))
  return [...orderOf(texts).map((at) => waiting[at]!), ...eager]
}

function isWrapped(section: Section): boolean {
  return section.some(({ text }) => /^var \w+ = __(?:esm|commonJS)\(\{$/.test(text))
}

/** Greedy: what comes next shares most with what came last. */
function orderOf(texts: readonly string[]): readonly number[] {
  const { pairs, holders } = pairsOf(texts)
  const shared = texts.map(() => 0)
  const near = new Map<string, number>()
  const window: number[] = []
  let length = 0
  function move(at: number, by: 1 | -1) {
    length += by * texts[at]!.length
    for (const pair of pairs[at]!) {
      const times = (near.get(pair) ?? 0) + by
      near.set(pair, times)
      if (times === (by === 1 ? 1 : 0)) for (const holder of holders.get(pair)!) shared[holder]! += by
    }
  }
  const likeness = (at: number) => shared[at]! / (pairs[at]!.length + LEAST_PAIRS)
  const left = new Set(texts.keys())
  const order: number[] = []
  while (left.size > 0) {
    const next = [...left].reduce((best, at) => (likeness(at) > likeness(best) ? at : best))
    left.delete(next)
    order.push(next)
    window.push(next)
    move(next, 1)
    while (length > WINDOW) move(window.shift()!, -1)
  }
  return order
}

/** Each text's pairs of neighbouring words that a few others have, too, and who has each. */
function pairsOf(texts: readonly string[]) {
  const holders = new Map<string, number[]>()
  for (const [at, text] of texts.entries()) {
    const words = text.match(/\w+/g) ?? []
    for (const pair of new Set(words.map((word, index) => `${words[index - 1]} ${word}`))) {
      const among = holders.get(pair)
      if (among) among.push(at)
      else holders.set(pair, [at])
    }
  }
  const pairs: string[][] = texts.map(() => [])
  for (const [pair, among] of holders) {
    if (among.length > 1 && among.length <= MOST_HOLDERS) for (const at of among) pairs[at]!.push(pair)
  }
  return { pairs, holders }
}
