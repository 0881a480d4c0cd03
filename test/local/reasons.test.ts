import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { GERMAN } from '../../src/platform/reasons/german.ts'
import { PROBLEMS } from '../../src/platform/reasons/problems.ts'
import { REFUSALS } from '../../src/platform/reasons/refusals.ts'

const SRC = resolve(import.meta.dirname, '../../src')

type Says = string | ((numbers: Readonly<Record<string, unknown>>) => string)
type Row = readonly [reason: string, english: Says, german: Says]

const ROWS: readonly Row[] = [
  ...Object.values(REFUSALS).flatMap((reasons) => rowsOf(reasons, GERMAN.refusals)),
  ...rowsOf(PROBLEMS, GERMAN.problems),
]

function rowsOf(english: object, german: object): Row[] {
  return Object.entries(english).map(([reason, says]) => [
    reason,
    says,
    (german as Record<string, Says>)[reason]!,
  ])
}

const SAMPLES: Readonly<Record<string, unknown>> = {
  failure: 'refused',
  isDefault: false,
  kinds: ['string', 'null'],
  known: ['a', 'b'],
  names: ['a'],
  offered: [15, 30],
  said: 'The server refuses it.',
  status: 'cancelled',
  thing: 'booking',
  values: ['a', 'b'],
  window: '1m',
}

/** What a sentence says, and of which numbers it is made. */
function said(says: Says) {
  const used = new Set<string>()
  const numbers = new Proxy<Record<string, unknown>>(
    {},
    {
      get: (_, name: string) => {
        used.add(name)
        return SAMPLES[name] ?? 60
      },
    },
  )
  return { text: typeof says === 'string' ? says : says(numbers), used: [...used].sort() }
}

/** What German leaves out: the words of a provider, and a state that has no German name. */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  calendar_refused: ['failure'],
  calendar_failed: ['failure'],
  delivery_not_failed: [],
}

describe('the reasons of refusals', () => {
  it('have a name each', () => {
    const names = Object.values(REFUSALS).flatMap(Object.keys)
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  })

  it.each(ROWS)(
    'say what is wrong in both languages, with the same numbers: %s',
    (reason, english, german) => {
      const [en, de] = [said(english), said(german)]
      expect(en.text).toMatch(/^[\w"`'].*[.]$/s)
      expect(de.text).toMatch(/^[\wÄÖÜ].*[.]$/s)
      expect(`${en.text}${de.text}`).not.toMatch(/undefined|NaN|\[object/)
      expect(de.text).not.toMatch(/\b(the|must|this|is|not|with|of)\b/i)
      expect(de.used).toEqual(LEFT_OUT[reason] ?? en.used)
    },
  )

  it('are the only place of sentences about a request', () => {
    const files = globSync('**/*.{ts,tsx}', { cwd: SRC }).filter(
      (file) => !file.startsWith('platform/reasons/'),
    )
    const wrong = files.flatMap((file) => {
      const text = readFileSync(join(SRC, file), 'utf8')
      return [
        ...text.matchAll(
          /['"`](Must (not )?(be|have|contain|name|end) [^'"`]*|Is required[^'"`]*|No such [^'"`]*)/g,
        ),
      ]
        .filter(() => !/(console\/(event-types|passkeys)|api-keys\/schema)\.ts$/.test(file))
        .map(([sentence]) => `${file}: ${sentence}`)
    })
    expect(wrong).toEqual([])
  })
})
