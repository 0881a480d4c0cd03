import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')

/** Words that say little about what a sentence is about. */
const LITTLE = new Set(
  'a all and are as at be by can do does each for from has have if in is it its no not of on one or so that the their them they this to too with which when you your'.split(
    ' ',
  ),
)
/** Sentences of fewer words than that are alike by chance. */
const FEWEST = 6
/** Of the words of two sentences, those that both have. */
const MUCH = 0.6

type Sentence = { readonly text: string; readonly words: ReadonlySet<string> }

function sentencesOf(markdown: string): Sentence[] {
  const prose = markdown.replace(/^```.*?^```/gms, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
  const blocks = prose.split(/\n\s*\n|\n(?=- |\d+\. |\||#)/).map((block) => block.replace(/\s+/g, ' ').trim())
  return blocks
    .flatMap((block) => block.split(/(?<=[.:;!?])\s+/))
    .map((text) => {
      const words = text.toLowerCase().match(/[a-z0-9_{}/]+/g) ?? []
      return { text, words: new Set(words.filter((word) => !LITTLE.has(word))) }
    })
    .filter(({ words }) => words.size >= FEWEST)
}

function saysTheSame(one: Sentence, other: Sentence): boolean {
  return one.words.intersection(other.words).size / one.words.union(other.words).size >= MUCH
}

function repeated(documents: Readonly<Record<string, string>>, guides: Readonly<Record<string, string>>) {
  const known = Object.entries(guides).map(([guide, text]) => [guide, sentencesOf(text)] as const)
  return Object.entries(documents).flatMap(([document, text]) =>
    sentencesOf(text).flatMap((sentence) =>
      known
        .filter(([, sentences]) => sentences.some((other) => saysTheSame(sentence, other)))
        .map(([guide]) => `${document} and ${guide}: ${sentence.text}`),
    ),
  )
}

function read(pattern: string): Record<string, string> {
  const files = globSync(pattern, { cwd: ROOT }).sort()
  return Object.fromEntries(files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]))
}

/** What looks alike and is about something else: one says what a word means, or refuses something else. */
const OTHERWISE: readonly string[] = [
  'docs/architecture.md and public/docs/export.md: a host, a calendar, or an event type without hosts.',
  'docs/hours.md and public/docs/rooms.md: 409 `conflict` with `details.code` = `schedule_in_use`, the `event_type_ids` and the `resource_ids`.',
]

it('says nothing in docs/ that a guide says', () => {
  const [documents, guides] = [read('docs/*.md'), read('public/docs/*.md')]
  // It is made of the descriptions in the OpenAPI document.
  delete guides['public/docs/reference.md']
  expect(Object.keys(documents).length).toBeGreaterThan(10)
  expect(Object.keys(guides).length).toBeGreaterThan(15)
  expect(repeated(documents, guides)).toEqual(OTHERWISE)
})

it('finds a sentence that was taken over with a few words changed', () => {
  const guide = 'A failed attempt is repeated after 5 s, 5 min, 30 min, 2 h and 10 h.'
  const document = 'Each failed attempt is repeated after 5 s, 5 min, 30 min, 2 h, 5 h and 10 h (± 10 %).'
  expect(repeated({ 'a.md': document }, { 'b.md': guide })).toHaveLength(1)
})
