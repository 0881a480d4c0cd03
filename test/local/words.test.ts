import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')

/** The documents that are written so already; the others follow. */
const HELD = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'findings/README.md',
  'docs/{adding,booking-pages,configuration,console,hours,letters,payments,webhooks}.md',
  'src/*/README.md',
]

/** What is not plain English here, and what is. */
const WORDS: [RegExp, string][] = [
  [/(?<!\b(?:upper-case|lower-case|capital|Latin) )\bletters?\b(?! of the alphabet| case)/i, 'email'],
  [/\btold\b/i, 'notified, is returned, says'],
  [/\btells\b(?!(?: \S+){1,3} (?:apart|from)\b)|\btell of\b/i, 'returns, says, notifies'],
  [/\bwhoever\b|\bwhosoever\b/i, 'invitees, callers, members, anyone who, if you'],
  [/^(?:.*[.:;] )?Who(?:se)? [^?]*\.(?: |$)/, 'invitees, callers, members, if you'],
  [/\bnobody is (?:told|notified)\b/i, 'no notification is sent'],
  [/\b(?:stands?|stood|standing) (?:for|in)\b/i, 'is, is stored, is listed'],
  [/\b(?:goes|go|went) by\b/i, 'uses, follows'],
  [/\b(?:is|are) none\b/i, 'is not a valid …'],
  [
    /(?<!\bthere )\b(?:is|are|was|were) no (?!longer|later|earlier|more|less|fewer|one|other)/i,
    'is not a, has no',
  ],
  [/\bby (?:itself|themselves)\b/i, 'automatically'],
  [/\b(?:bookings?|days?|weeks?|months?|sessions?|starts?|times?|events?|meetings?) to come\b/i, 'upcoming'],
  [/\bmeanwhile\b/i, 'in the meantime, since then'],
  [/\bstrangers?\b/i, 'anonymous caller'],
  [/\bkept (?:answers?|responses?)\b/i, 'stored response'],
  [/\bowed\b/i, 'reserved for the waitlist'],
  [/\bfreed (?:times?|seats?)\b/i, 'released time'],
  [/\b(?:has|have|had) a say\b/i, 'shares with, counts'],
  [/\btwins?\b/i, 'Markdown version'],
  [/\bknock(?:s|ed|ing)?\b/i, 'anonymous request'],
  [/\bhindered\b/i, 'takes no bookings'],
  [/\blapse[ds]?\b|\bover by the clock\b/i, 'expired'],
  [/\bbeyond (?:the|a|its|this|that|any) limits?\b/i, 'over the limit'],
  [/\bon (?:its|their) way\b/i, 'queued'],
  [/\bheld back\b/i, 'rate limited'],
  [/\b(?:wait|waits|waiting|wait longest|stand|first) in (?:the |a )?line\b/i, 'waitlist'],
  [/\ba trip\b/i, 'a round trip'],
  [/\b(?:make|makes|made) up for\b/i, 'retried, repaired'],
  [/\bsought\b|\basked of\b/i, 'looked up, requested from'],
  [/\bweigh(?:s|ed)?\b/i, 'is (12 KiB)'],
  [/\bat most so many\b/i, 'limit'],
]

/** The sentences of a document, without code and the targets of links: a cell, an item or a paragraph each. */
function proseIn(text: string): string[] {
  return text
    .replaceAll(/^ *```.*?^ *```/gms, '\n\n')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/(`+)[^`]+\1/g, 'X')
    .replaceAll(/\]\([^)]*\)/g, ']')
    .replaceAll(/\\?\|/g, '\n\n')
    .replaceAll(/^(#+ .*)$/gm, '\n$1\n')
    .replaceAll(/^ *(?:[-*]|\d+\.) /gm, '\n\n')
    .split(/\n\s*\n/)
    .map((part) => part.replaceAll(/\s+/g, ' ').replaceAll('**', '').trim())
}

const dialectIn = (prose: string) => WORDS.flatMap(([found, plain]) => (found.test(prose) ? [plain] : []))

const documents = [...new Set(HELD.flatMap((held) => globSync(held, { cwd: ROOT })))].sort()

describe('the words of the documents', () => {
  it.each(documents)('are plain in %s', (file) => {
    const prose = proseIn(readFileSync(join(ROOT, file), 'utf8'))
    expect(
      prose.map((part) => ({ part, write: dialectIn(part) })).filter(({ write }) => write.length > 0),
    ).toEqual([])
  })

  it('are held where documents are', () => {
    expect(HELD.filter((held) => globSync(held, { cwd: ROOT }).length === 0)).toEqual([])
  })

  it.each([
    ['Nobody is told, and the letter stands in the outbox.', 4],
    ['Who waits goes by the clock.', 2],
    ['It is repeated by\nitself.', 1],
    ['Bookings to come are listed.', 1],
    ['A text that is no key is refused.', 1],
  ])('are not plain in "%s"', (text, count) => {
    expect(proseIn(text).flatMap(dialectIn)).toHaveLength(count)
  })

  it.each([
    'There is no key, and it is no longer valid.',
    'Names have upper-case letters and the letters of the alphabet.',
    'Who may call it?\n\n## Who may call it',
    'See [the emails](docs/letters.md) and `kept_answer`.',
    'Members who are off are asked to come back.',
  ])('are plain in "%s"', (text) => {
    expect(proseIn(text).flatMap(dialectIn)).toEqual([])
  })
})
