import { globSync, readFileSync } from 'node:fs'
import { join, parse, resolve } from 'node:path'
import { errorsMarkdown } from '../../pages/docs/errors.ts'
import { eventsMarkdown } from '../../pages/docs/events.ts'
import { anchorOf } from '../../pages/docs/markdown.ts'
import { callsOf, type Described } from './described.ts'

const GUIDES = resolve(import.meta.dirname, '../../../public/docs')

/** Words that say nothing about what a text is about. */
const UNSEARCHED =
  'a also all an and any are as at be been but by can do does each for from get gets has have how i if in into is it its my no not of on one only or other so such than that the their them then there these they this those to too was we what when where which while who will with without you your'.split(
    ' ',
  )
const MOST_DIGITS = 4
const MOST_LETTERS = 40

/** Where it is, what it is called, which part of that it is, and the words of its text. */
type Section = readonly [href: string, title: string, part: string, words: string]

/** What the search of the documentation reads: a section a line, so that two changes of it seldom meet. */
export function searchIndexOf(document: Described): string {
  const sections = [...pages().flatMap(([path, text]) => sectionsOf(path, text)), ...operations(document)]
  const lines = sections.map((section) => JSON.stringify(section)).join(',\n')
  return `{"unsearched":${JSON.stringify(UNSEARCHED)},"sections":[\n${lines}\n]}\n`
}

function pages(): [path: string, markdown: string][] {
  // The reference is in the index by its calls.
  const guides = globSync('*.md', { cwd: GUIDES }).filter((file) => file !== 'reference.md')
  return [
    ...guides.sort().map((file): [string, string] => {
      const { name } = parse(file)
      return [name === 'index' ? '/docs' : `/docs/${name}`, readFileSync(join(GUIDES, file), 'utf8')]
    }),
    ['/docs/errors', errorsMarkdown()],
    ['/docs/events', eventsMarkdown()],
  ]
}

function sectionsOf(path: string, markdown: string): Section[] {
  const [, title = ''] = /^# (.*)$/m.exec(markdown) ?? []
  return withoutCode(markdown)
    .split(/^(?=#{1,3} )/m)
    .map((text) => {
      const [, name = title] = /^#{1,3} (.*)$/m.exec(text) ?? []
      const part = name === title ? '' : name
      const href = part === '' ? path : `${path}#${anchorOf(part)}`
      return [href, title, part, wordsOf(text.replace(/^#.*$/m, ''), `${title} ${part}`)]
    })
}

/** Of code, only the names of fields are searched. */
function withoutCode(markdown: string): string {
  return markdown.replace(/^```.*\n([\s\S]*?)^```$/gm, (_, code: string) =>
    [...code.matchAll(/\b[a-z]+(?:_[a-z]+)+\b/g)].map(([name]) => name).join(' '),
  )
}

function operations(document: Described): Section[] {
  return callsOf(document).map(({ method, path, operation: { operationId, summary, description = '' } }) => [
    `/docs/reference#/operations/${operationId}`,
    summary,
    `${method} ${path}`,
    wordsOf(description, summary),
  ])
}

/** Each word once, in the order of the text: what it begins with says what it is about. */
function wordsOf(text: string, title: string): string {
  const known = new Set([...UNSEARCHED, ...wordsIn(title)])
  return [...new Set(wordsIn(text))].filter((word) => !known.has(word) && isSearched(word)).join(' ')
}

function wordsIn(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+(?:[._/-][\p{L}\p{N}]+)*/gu) ?? []
}

/** Nobody types the ids and instants of examples. */
function isSearched(word: string): boolean {
  const digits = word.match(/\d/g)?.length ?? 0
  return word.length > 1 && word.length <= MOST_LETTERS && digits <= MOST_DIGITS
}
