import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Prose, proseIn, proseOfCode } from '../support/prose.ts'
import { dialectIn } from '../support/words.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** What is written plainly already; the rest follows. */
const HELD = {
  documents: [
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'CHANGELOG.md',
    'findings/README.md',
    'docs/**/*.md',
    'public/docs/*.md',
    '{client,doubles}/README.md',
    'src/*/README.md',
  ],
  comments: ['src/**', 'doubles/**', 'public/assets/*.js', 'test/support/{prose,words}.ts'],
  texts: ['src/**', 'doubles/**'],
  titles: [
    'test/{booking,calendars,core,delivery,engine,local,platform,routes,soak,worker}/**',
    'test/{console,e2e,mcp,money,operations,outbox,pages,people}/**',
    'test/*.test.ts',
  ],
}

const filesOf = (globs: readonly string[]) =>
  [...new Set(globs.flatMap((glob) => globSync(glob, { cwd: ROOT })))]
    .filter((file) => /\.(?:md|js|tsx?)$/.test(file))
    .sort()

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

const dialect = (file: string, prose: readonly Prose[]) =>
  prose.flatMap(({ line, text }) =>
    proseIn(text)
      .map((part) => ({ at: `${file}:${line}`, part, write: dialectIn(part) }))
      .filter(({ write }) => write.length > 0),
  )

describe('the words of the project', () => {
  it.each(filesOf(HELD.documents))('are plain in %s', (file) => {
    expect(dialect(file, [{ line: 1, text: read(file) }])).toEqual([])
  })

  it.each(['comments', 'texts', 'titles'] as const)('are plain in %s', (kind) => {
    expect(filesOf(HELD[kind]).flatMap((file) => dialect(file, proseOfCode(file, read(file))[kind]))).toEqual(
      [],
    )
  })

  it('are held where files are', () => {
    const globs = Object.values(HELD).flat()
    expect(globs.filter((glob) => globSync(glob, { cwd: ROOT }).length === 0)).toEqual([])
  })

  it.each([
    ['Nobody is told, and the letter stands in the outbox.', 4],
    ['Who waits goes by the clock.', 2],
    ['It is repeated by\nitself.', 1],
    ['Bookings to come are listed.', 1],
    ['A text that is no key is refused.', 1],
    ['Write `` ` `` for a backtick.\n\nWhoever calls sends `id`.', 1],
    ['Fewer than 5 < 6.\n\nWhoever calls waits > 5 s.', 1],
  ])('are not plain in "%s"', (text, count) => {
    expect(proseIn(text).flatMap(dialectIn)).toHaveLength(count)
  })

  it.each([
    'There is no key, and it is no longer valid.',
    'Names have upper-case letters and the letters of the alphabet.',
    'Who may call it?\n\n## Who may call it',
    'See [the emails](docs/emails.md) and `kept_answer`.',
    'Members who are off are asked to come back.',
  ])('are plain in "%s"', (text) => {
    expect(proseIn(text).flatMap(dialectIn)).toEqual([])
  })

  it('are found in comments, texts and titles, and not in code', () => {
    const source = `
      // It is repeated by
      // itself.
      const told = letter.tells(stranger) // Kept.
      /**
       * Who waits gets a mail.
       */
      it('tells whoever waits', () => {})
      it.each([])('hears %s', () => {})
      throw new Error(\`A \${letter} is on its way \` + 'to a stranger.')
      const texts = catalogue({ en: 'It is on its way.' }, { de: 'Es ist on its way.' })
      const sql = 'SELECT told FROM letters WHERE owed = 1'
      `
    expect(proseOfCode('sample.ts', source)).toEqual({
      comments: [
        { line: 2, text: 'It is repeated by\nitself.' },
        { line: 4, text: 'Kept.' },
        { line: 5, text: 'Who waits gets a mail.' },
      ],
      texts: [
        { line: 8, text: 'tells whoever waits' },
        { line: 10, text: 'A X is on its way to a stranger.' },
        { line: 11, text: 'It is on its way.' },
      ],
      titles: [
        { line: 8, text: 'tells whoever waits' },
        { line: 9, text: 'hears %s' },
      ],
    })
  })
})
