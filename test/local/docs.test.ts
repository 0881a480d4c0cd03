import { globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { REASON_CODES } from '../../src/engine/schedule/reason-codes.ts'
import { eventsMarkdown } from '../../src/pages/docs/events.ts'
import { EVENT_KINDS } from '../../src/platform/db/schema/records.ts'
import { CONFLICTS, RULES } from '../../src/platform/http/errors.ts'
import { actionTexts } from '../../src/platform/i18n/console/actions.ts'
import { PLANS } from '../../src/platform/limits/plans.ts'
import { PUBLIC_BRAKES, PUBLIC_LIMITS } from '../../src/platform/limits/public-limits.ts'
import { SYSTEM_PACKAGES } from '../system/packages.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const documents = globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT }).map((file) => file.replaceAll('\\', '/'))
const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8')

const namesIn = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)

/** What code shows is no link and no heading. */
function withoutCode(text: string): string {
  return text
    .replaceAll(/^```.*?^```/gms, '')
    .replaceAll(/`[^`\n]*`/g, (code) => code.replace(/[[\]()]/g, ''))
}

/** The anchors of a document's headings, as Git hosts make them. */
function anchorsIn(file: string): string[] {
  const headings = withoutCode(textOf(file)).matchAll(/^#{1,6} (.+)$/gm)
  return [...headings].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

function linksIn(file: string): string[] {
  return [...withoutCode(textOf(file)).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link]) => link!)
    .filter((link) => !/^https?:/.test(link))
}

function leadsSomewhere(from: string, link: string): boolean {
  const [path, anchor] = link.split('#') as [string, string?]
  const file = path === '' ? from : normalize(join(dirname(from), path)).replaceAll('\\', '/')
  const isThere = documents.includes(file) || globSync(file, { cwd: ROOT }).length === 1
  return isThere && (anchor === undefined || (file.endsWith('.md') && anchorsIn(file).includes(anchor)))
}

const MAKES_A_CALL = /\bcurl |\bfetch\(|urlopen\(|createServer|HTTPServer|HOLDFAST_URL["/]|\{base\}\/v1/

/** What guides show in fewer than three languages, and why. */
const IN_FEWER_LANGUAGES: Readonly<Record<string, string>> = {
  'public/docs/webhooks.md: receiver': 'it is a server, which a shell cannot be',
  'public/docs/webhooks.md: npx @holdfast/client listen http://localhost:4000 --base-url "$HOLDFAST_URL"':
    'it is a program of the client',
}

describe('the documents', () => {
  it('lead somewhere with every link between them', () => {
    const links = documents.flatMap((from) => linksIn(from).map((link) => ({ from, link })))
    expect(links.length).toBeGreaterThan(30)
    expect(links.filter(({ from, link }) => !leadsSomewhere(from, link))).toEqual([])
  })

  it('say in each guide with a key where a key comes from', () => {
    const guides = globSync('public/docs/*.md', { cwd: ROOT })
    const isSaid = (text: string) => text.includes('(/docs/first-booking#a-key)') || text.includes('## A key')
    const silent = guides.filter((file) => {
      const text = textOf(file)
      return /Bearer|hf_(test|live)_|(with|needs) a key/.test(text) && !isSaid(text)
    })
    expect(guides.length).toBeGreaterThan(10)
    expect(silent).toEqual([])
  })

  it('make each call of a guide in curl, TypeScript and Python', () => {
    const guides = globSync('public/docs/*.md', { cwd: ROOT }).map((file) => file.replaceAll('\\', '/'))
    const few = guides.flatMap((guide) => {
      const blocks = [...textOf(guide).matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms)]
      const calls = blocks.filter(([, language, , code]) => language !== 'json' && MAKES_A_CALL.test(code!))
      const groups = Map.groupBy(calls, ([, , file = 'unnamed', code]) =>
        file === 'unnamed' ? code!.trim() : file.replace(/\.\w+$/, ''),
      )
      const isWhole = (group: typeof calls) =>
        group.map(([, , file]) => /\w+$/.exec(file ?? '')?.[0]).join() === 'sh,ts,py'
      return [...groups].filter(([, group]) => !isWhole(group)).map(([name]) => `${guide}: ${name}`)
    })
    expect(few).toEqual(Object.keys(IN_FEWER_LANGUAGES))
  })

  it('are all found from the README', () => {
    const found = new Set(['README.md'])
    for (const from of found) {
      for (const link of linksIn(from)) {
        const file = normalize(join(dirname(from), link.split('#')[0]!)).replaceAll('\\', '/')
        if (documents.includes(file)) found.add(file)
      }
    }
    expect(documents.filter((file) => !found.has(file))).toEqual([])
  })

  it('name only files of the project that are there, as seen from the project or from src', () => {
    const from = ['.', 'src'].map((place) => join(ROOT, place))
    const parts = new Set(from.flatMap((place) => readdirSync(place)))
    for (const made of ['dist', 'node_modules', '.wrangler']) parts.delete(made)
    const named = documents.flatMap((document) =>
      [...textOf(document).matchAll(/`([\w.-]+)(\/[\w./-]*)`/g)]
        .filter(([, part]) => parts.has(part!))
        .map(([, part, rest]) => ({ document, file: part! + rest! })),
    )
    expect(named.length).toBeGreaterThan(50)
    const isThere = (file: string) => from.some((cwd) => globSync(file, { cwd }).length > 0)
    expect(named.filter(({ file }) => !isThere(file))).toEqual([])
  })
})

describe('the README', () => {
  it('is read in one sitting: it has at most 150 lines', () => {
    expect(textOf('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(150)
  })

  it('has no comment in its shell lines, for zsh would run it', () => {
    const blocks = [...textOf('README.md').matchAll(/^```sh\n(.*?)^```/gms)].map(([, block]) => block!)
    expect(blocks.length).toBeGreaterThan(2)
    expect(blocks.filter((block) => /(^|\s)#/.test(block))).toEqual([])
  })

  it('says of every dependency why it is there, and of nothing else', () => {
    const { dependencies, devDependencies } = JSON.parse(textOf('package.json'))
    const section = textOf('README.md').split('\n## Dependencies\n')[1]!
    const lines = [...section.matchAll(/^- (.+?):/gm)].map(([, names]) => names!)
    const [system, npm] = [true, false].map((isOfSystem) =>
      lines.filter((names) => names.includes('(system package') === isOfSystem).flatMap(namesIn),
    )
    expect(npm!.sort()).toEqual(Object.keys({ ...dependencies, ...devDependencies }).sort())
    expect(system!.sort()).toEqual(SYSTEM_PACKAGES.map(({ name }) => name).sort())
  })
})

describe('docs/architecture.md', () => {
  it('draws every part of src, and none that is not there', () => {
    const house = textOf('docs/architecture.md').split('\nsrc/\n')[1]!.split('\npublic/')[0]!
    const drawn = [...house.matchAll(/^ {2}([\w.-]+)\/? /gm)].map(([, part]) => part!)
    expect(drawn.sort()).toEqual(readdirSync(join(ROOT, 'src')).sort())
  })
})

describe('docs/decisions', () => {
  it('holds short pages: at most 40 lines each', () => {
    const long = documents.filter(
      (file) => file.startsWith('docs/decisions/') && textOf(file).trimEnd().split('\n').length > 40,
    )
    expect(long).toEqual([])
  })
})

describe('docs/configuration.md', () => {
  it('lists every variable, secret and binding of src/env.ts', () => {
    const declared = [...textOf('src/env.ts').matchAll(/^\s+readonly ([A-Z][A-Z0-9_]+)\??:/gm)]
    const names = declared.map(([, name]) => name!)
    expect(names.length).toBeGreaterThan(20)
    const text = textOf('docs/configuration.md')
    expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([])
  })
})

describe('docs/api-behaviour.md', () => {
  const text = textOf('docs/api-behaviour.md')

  it('lists every code that the details of a refusal can have', () => {
    expect([...RULES, ...CONFLICTS, 'too_late'].filter((code) => !text.includes(`\`${code}\``))).toEqual([])
  })

  it('lists every reason why a start is closed', () => {
    const section = text.split('\n## Why a start is closed\n')[1]!.split('\n## ')[0]!
    expect(REASON_CODES.filter((code) => !section.includes(`\`${code}\``))).toEqual([])
  })

  it('lists every action of the log', () => {
    const section = text.split('\n## The activity log\n')[1]!.split('\n## ')[0]!
    const told = [...section.matchAll(/^\| `(\w+)` +\| (`.+`) +\|$/gm)].flatMap(([, of, done]) =>
      [...done!.matchAll(/`(\w+)`/g)].map(([, each]) => `${of}.${each}`),
    )
    expect(told).toEqual(Object.keys(actionTexts.en))
  })

  it('says what each plan allows', () => {
    const rows = Object.entries(PLANS).map(([tier, plan]) => {
      const numbers = [plan.callsPerMinute, plan.callsPerDay, plan.bookingsPerMonth]
      return [`\`${tier}\``, plan.name, ...numbers.map((number) => number.toLocaleString('en'))]
    })
    const told = [...text.matchAll(/^\| (`\w+`) *\| (\w+) *\| ([\d,]+) *\| ([\d,]+) *\| ([\d,]+) *\|$/gm)]
    expect(told.map(([, ...cells]) => cells)).toEqual(rows)
  })
})

describe('docs/limits.md', () => {
  it('lists every limit of callers without a key, and the defaults of the organization', () => {
    const text = textOf('docs/limits.md')
    expect(PUBLIC_BRAKES.filter((limit) => !text.includes(`| \`${limit}\` `))).toEqual([])
    const told = [...text.matchAll(/^\| `(\w+)` *\| (\d+) *\|/gm)]
    const defaults = Object.fromEntries(told.map(([, limit, number]) => [limit, Number(number)]))
    expect(defaults).toMatchObject(PUBLIC_LIMITS)
  })
})

describe('/docs/events', () => {
  it('lists every kind of event, and the guide leads there', () => {
    const text = eventsMarkdown()
    expect(EVENT_KINDS.filter((kind) => !text.includes(`\n## ${kind}\n`))).toEqual([])
    expect(textOf('public/docs/webhooks.md')).toContain('(/docs/events)')
  })
})

describe('.editorconfig', () => {
  it('lets editors write what Biome would format', () => {
    const { formatter } = JSON.parse(textOf('biome.json'))
    const config = textOf('.editorconfig')
    expect(config).toContain(
      `indent_style = ${formatter.indentStyle}\nindent_size = ${formatter.indentWidth}\n`,
    )
    expect(config).toContain(`max_line_length = ${formatter.lineWidth}\n`)
  })
})
