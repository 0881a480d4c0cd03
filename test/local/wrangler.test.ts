import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'

const ROOT = resolve(import.meta.dirname, '../..')
/** `WRANGLER=/path/to/wrangler` checks another version than the pinned one. */
const WRANGLER =
  process.env.WRANGLER ?? dirname(createRequire(import.meta.url).resolve('wrangler/package.json'))
const { experimental_getWranglerCommands: getCommands, experimental_readRawConfig: readRawConfig } =
  createRequire(import.meta.url)(WRANGLER) as typeof import('wrangler')

type Command = { readonly words: readonly string[]; readonly flags: readonly string[] }

/** Each command with all flags that it is shown with. */
function printedCommands(): Command[] {
  const files = [
    'README.md',
    'package.json',
    ...globSync(['docs/**/*.md', 'src/local/**/*.ts'], { cwd: ROOT }),
  ]
  const found = files.flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8')
    return [...text.matchAll(/(?:npx\s|&& |: ")wrangler ([a-z][^`#|\n>;&)]*)/g)].map(
      // What follows is the rest of a sentence.
      ([, command]) => command!.split(/[.,:](?:\s|$)| must /)[0]!,
    )
  })
  const commands = Map.groupBy(found, (command) => {
    const words = command.trim().split(/\s+/)
    const isNested = /^(?:check|d1|queues|r2|secret)$/.test(words[0]!)
    const isDeeper = /^(?:migrations|object|time-travel)$/.test(words[1] ?? '')
    return words.slice(0, isNested ? (isDeeper ? 3 : 2) : 1).join(' ')
  })
  return [...commands].map(([words, shown]) => ({
    words: words.split(' '),
    flags: [...new Set(shown.flatMap((command) => command.match(/--[a-z][a-z0-9-]*/g) ?? []))],
  }))
}

const { registry, globalFlags } = getCommands()
const GLOBAL = Object.keys(globalFlags)

/** The flags of a command of wrangler, without dashes. Throws for one that it does not have. */
function flagsOf(words: readonly string[]): string[] {
  let node: typeof registry | undefined = registry
  for (const word of words) node = node?.subtree.get(word)
  const definition = node?.definition
  if (definition?.type !== 'command') throw new Error(`wrangler has no command ${words.join(' ')}`)
  const args = Object.entries(definition.args ?? {})
  return args.flatMap(([name, { alias }]) => [name, ...[alias ?? []].flat()])
}

describe('the commands of wrangler in the documents', () => {
  const commands = printedCommands()

  it('are found', () => {
    const names = commands.map(({ words }) => words.join(' '))
    expect(names).toEqual(
      expect.arrayContaining(['d1 create', 'deploy', 'queues create', 'r2 object get', 'secret put']),
    )
    expect(commands.find(({ words }) => words.join(' ') === 'd1 create')!.flags).toContain('--location')
  })

  it.each(commands.map((command) => [command.words.join(' '), command] as const))(
    'exist with their flags: %s',
    (_, { words, flags }) => {
      const known = new Set([...GLOBAL, ...flagsOf(words)])
      // A flag `no-…` is the one that it turns off.
      const isKnown = (flag: string) => known.has(flag.slice(2)) || known.has(flag.replace(/^--no-/, ''))
      expect(flags.filter((flag) => !isKnown(flag))).toEqual([])
    },
  )

  it('would be missed if they were no longer there', () => {
    expect(() => flagsOf(['d1', 'craete'])).toThrow('d1 craete')
    expect(flagsOf(['d1', 'create'])).not.toContain('locaton')
  })
})

describe("the file that Cloudflare's button reads", () => {
  const { rawConfig } = readRawConfig({ config: join(ROOT, 'wrangler.toml') })
  const schema = z.fromJSONSchema(JSON.parse(readFileSync(join(WRANGLER, 'config-schema.json'), 'utf8')))

  it('is as the schema of wrangler says', () => {
    expect(schema.safeParse(rawConfig).error?.issues ?? []).toEqual([])
    expect(schema.safeParse({ ...rawConfig, mian: 'src/index.ts' }).success).toBe(false)
  })

  it('binds what the button asks about, and nothing twice', () => {
    const { cloudflare } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    const variables = Object.keys(rawConfig.vars ?? {})
    const secrets = readFileSync(join(ROOT, '.dev.vars.example'), 'utf8').match(/^\w+(?==)/gm)!
    for (const name of Object.keys(cloudflare.bindings)) {
      expect([name, [...variables, ...secrets].filter((each) => each === name)]).toEqual([name, [name]])
    }
  })
})
