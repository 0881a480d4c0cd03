import { globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const SRC = resolve(import.meta.dirname, '../src')

type Import = {
  readonly from: string
  readonly to: string
  readonly isType: boolean
  /** Whether it is imported when something first asks for it. */
  readonly isLate: boolean
}

/** The domains, from top to bottom: each may import those below it, as far as it is named here. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'index.ts': ['console', 'env.ts', 'mcp', 'pages', 'platform', 'routes.ts', 'worker'],
  'routes.ts': ['booking', 'calendars', 'delivery', 'money', 'operations', 'outbox', 'people', 'platform'],
  'env.ts': [],
  console: [
    ...['booking', 'calendars', 'core', 'delivery', 'env.ts', 'money', 'operations', 'outbox', 'pages'],
    ...['people', 'platform'],
  ],
  pages: [
    ...['booking', 'calendars', 'core', 'delivery', 'engine', 'env.ts', 'money', 'outbox', 'people'],
    'platform',
  ],
  mcp: ['booking', 'core', 'env.ts', 'platform'],
  worker: [
    ...['booking', 'calendars', 'core', 'delivery', 'engine', 'env.ts', 'money', 'operations', 'outbox'],
    ...['people', 'platform'],
  ],
  operations: [
    ...['booking', 'calendars', 'core', 'engine', 'env.ts', 'money', 'outbox', 'people', 'platform'],
  ],
  delivery: ['booking', 'calendars', 'core', 'env.ts', 'money', 'outbox', 'people', 'platform'],
  people: ['booking', 'calendars', 'core', 'engine', 'env.ts', 'money', 'outbox', 'platform'],
  calendars: ['booking', 'core', 'engine', 'env.ts', 'money', 'outbox', 'platform'],
  booking: ['core', 'engine', 'env.ts', 'money', 'outbox', 'platform'],
  money: ['core', 'engine', 'env.ts', 'outbox', 'platform'],
  outbox: ['core', 'env.ts', 'platform'],
  engine: ['core', 'env.ts', 'platform'],
  platform: ['core', 'env.ts'],
  core: [],
  // The OpenAPI document is made of the routes, and a deployment is refused what the Worker refuses.
  local: ['core', 'env.ts', 'pages', 'platform', 'routes.ts'],
}

/** What each room of the platform may import of the others. */
const PLATFORM: Readonly<Record<string, readonly string[]>> = {
  http: ['auth', 'db', 'i18n', 'limits', 'log', 'reasons'],
  auth: ['db', 'limits', 'reasons'],
  reasons: ['db', 'icalendar'],
  names: ['db'],
  limits: ['db'],
  db: [],
  queue: [],
  log: [],
  i18n: [],
  colors: [],
  icalendar: ['email'],
  email: ['i18n'],
  transport: [],
}

/** The files that write SQL: every other file asks one of these. */
const SPEAKS_SQL = [
  /^engine\/schedule\/([^/]+\/)?(queries|statements)\.ts$/,
  /^platform\/db\//,
  /^platform\/auth\/(authenticate|key-hashes|select-member)\.ts$/,
  /^platform\/limits\/key-record\.ts$/,
  /^platform\/http\/idempotency\.ts$/,
  /^(operations|delivery|people|calendars|booking|money|outbox|engine\/(freed-times|waits)|platform\/names)\/([^/]+\/){0,3}(queries|statements)\.ts$/,
]

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /\.tsx?$/.test(file))
const imports = files.flatMap((from) => importsOf(from, readFileSync(join(SRC, from), 'utf8')))
/** What local/ starts beside the service stands beside src. */
const isDouble = ({ from, to }: Import) => partOf(from) === 'local' && to.startsWith('../doubles/')
const inside = imports.filter((edge) => !edge.to.startsWith('package:') && !isDouble(edge))

function importsOf(from: string, text: string): Import[] {
  const statements = [
    ...text.matchAll(/^(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm),
  ].map(([, type, specifier]) => ({ specifier: specifier!, isType: type !== undefined, isLate: false }))
  const dynamic = [...text.matchAll(/(typeof\s+)?\bimport\(\s*'([^']+)'/g)].map(([, type, specifier]) => ({
    specifier: specifier!,
    isType: type !== undefined,
    isLate: true,
  }))
  return [...statements, ...dynamic].map(({ specifier, isType, isLate }) => ({
    from,
    to: specifier.startsWith('.')
      ? normalize(join(dirname(from), specifier)).replaceAll('\\', '/')
      : `package:${specifier}`,
    isType,
    isLate,
  }))
}

function partOf(file: string): string {
  return file.split('/')[0]!
}

/** What the calendars and meetings of providers are reached through. */
const CALENDAR_ROOMS = /^calendars\/(caldav|client|consents|feeds|google|ics|meetings|microsoft|oauth|zoom)\//

/** Every folder of a domain is a room; the calendars' own are one, but for those of providers. */
function roomOf(file: string): string {
  const path = file.split('/')
  const isWhole = ['console', 'pages', 'mcp', 'core', 'local'].includes(path[0]!) || path.length < 3
  if (isWhole || (path[0] === 'calendars' && !CALENDAR_ROOMS.test(file))) return path[0]!
  return path.slice(0, 2).join('/')
}

function told(edges: readonly Import[]): string[] {
  return edges.map(({ from, to }) => `${from} imports ${to}`)
}

/** The places of one circle, or null. */
function findCycle(edges: readonly Pick<Import, 'from' | 'to'>[]): string[] | null {
  const next = Map.groupBy(edges, ({ from }) => from)
  const done = new Set<string>()
  const path: string[] = []
  function visit(place: string): string[] | null {
    if (path.includes(place)) return [...path.slice(path.indexOf(place)), place]
    if (done.has(place)) return null
    path.push(place)
    for (const { to } of next.get(place) ?? []) {
      const cycle = visit(to)
      if (cycle) return cycle
    }
    path.pop()
    done.add(place)
    return null
  }
  for (const place of next.keys()) {
    const cycle = visit(place)
    if (cycle) return cycle
  }
  return null
}

describe('the imports of src', () => {
  it('are all understood', () => {
    expect(files.length).toBeGreaterThan(50)
    expect(inside.length).toBeGreaterThan(200)
    expect(told(inside.filter(({ to }) => !files.includes(to)))).toEqual([])
  })

  it('contain only parts with import rules', () => {
    expect(files.map(partOf).filter((part) => !Object.hasOwn(MAY_IMPORT, part))).toEqual([])
  })

  it('point one way', () => {
    const wrong = inside.filter((edge) => {
      const [from, to] = [partOf(edge.from), partOf(edge.to)]
      return from !== to && !MAY_IMPORT[from]?.includes(to)
    })
    expect(told(wrong)).toEqual([])
  })

  it('point one way within the platform', () => {
    const roomIn = (file: string) => file.split('/')[1]!
    const between = inside.filter(({ from, to }) => partOf(from) === 'platform' && partOf(to) === 'platform')
    const wrong = between.filter(
      ({ from, to }) => roomIn(from) !== roomIn(to) && !PLATFORM[roomIn(from)]?.includes(roomIn(to)),
    )
    expect(told(wrong)).toEqual([])
  })

  it('are drawn as they point: from the top of the house in docs/architecture.md to its bottom', () => {
    const text = readFileSync(join(SRC, '../docs/architecture.md'), 'utf8')
    const house = text.split('\nsrc/\n')[1]!.split('\npublic/')[0]!
    const drawn = [...house.matchAll(/^ {2}([\w.-]+)\/? /gm)].map(([, part]) => part!)
    const upwards = inside.filter(({ from, to }) => {
      const [above, below] = [drawn.indexOf(partOf(from)), drawn.indexOf(partOf(to))]
      // It stands beside the house.
      return partOf(from) !== 'local' && above > below
    })
    expect(told(upwards)).toEqual([])
  })

  it('are between folders that docs/architecture.md draws, as far as it draws those of a domain', () => {
    const text = readFileSync(join(SRC, '../docs/architecture.md'), 'utf8')
    const house = text.split('\nsrc/\n')[1]!.split('\npublic/')[0]!
    const wrong = house.split(/\n(?= {2}\w)/).flatMap((drawing) => {
      const [domain, ...drawn] = [...drawing.matchAll(/(?<![\w/])([\w-]+)\//g)].map(([, name]) => name!)
      const isListed = drawn.length > 1 && domain !== 'local'
      const there = files
        .map((file) => file.split('/'))
        .filter((path) => path[0] === domain && path.length > 2)
      const folders = [...new Set(there.map(([, folder]) => folder!))]
      return isListed
        ? folders.filter((name) => !drawn.includes(name)).map((name) => `${domain}/${name}`)
        : []
    })
    expect(wrong).toEqual([])
  })

  it('keep the core free of everything else', () => {
    const wrong = imports.filter(({ from, to }) => partOf(from) === 'core' && partOf(to) !== 'core')
    expect(told(wrong)).toEqual([])
  })

  it("never reach into another domain's queries", () => {
    // A sweep asks many rooms in one round trip, so the jobs may take their queries.
    const wrong = inside.filter(
      ({ from, to }) =>
        /\/queries\.ts$/.test(to) && roomOf(from) !== roomOf(to) && roomOf(from) !== 'worker/jobs',
    )
    expect(told(wrong)).toEqual([])
  })

  it('include Drizzle only in files that write SQL', () => {
    const wrong = imports.filter(
      ({ from, to, isType }) =>
        !isType && to.startsWith('package:drizzle-orm') && !SPEAKS_SQL.some((place) => place.test(from)),
    )
    expect(told(wrong)).toEqual([])
  })

  it('form no cycle of domains, types included', () => {
    const doors = inside
      .map(({ from, to }) => ({ from: roomOf(from), to: roomOf(to) }))
      .filter(({ from, to }) => from !== to)
    expect(findCycle(doors)).toBeNull()
  })

  it('form no cycle of files, types included', () => {
    expect(findCycle(inside.filter(({ isLate }) => !isLate))).toBeNull()
  })
})

describe('the README of each domain', () => {
  const domains = readdirSync(SRC).filter((part) => !part.endsWith('.ts'))
  const namedIn = (domain: string, name: string) => {
    const text = readFileSync(join(SRC, domain, 'README.md'), 'utf8')
    const line = new RegExp(`^- \\*\\*${name}\\*\\*: (.+)$`, 'm').exec(text)![1]!
    return [...line.matchAll(/`([^`]+)`/g)].map(([, one]) => one!)
  }

  it('says what the domain may import', () => {
    const said = domains.map((domain) => [domain, namedIn(domain, 'May import').sort()])
    const allowed = domains.map((domain) => [domain, [...MAY_IMPORT[domain]!].sort()])
    expect(Object.fromEntries(said)).toEqual(Object.fromEntries(allowed))
  })

  it('names each folder, and no other', () => {
    const folders = Map.groupBy(
      files.map((file) => file.split('/')).filter((path) => path.length > 2),
      ([domain]) => domain!,
    )
    const of = (domain: string) => new Set(folders.get(domain)?.map(([, folder]) => folder!))
    const wrong = domains.flatMap((domain) => {
      const named = namedIn(domain, 'Verbs').map((name) => /^([\w-]+)\/$/.exec(name)?.[1])
      const unnamed = [...of(domain)].filter((folder) => !named.includes(folder))
      const gone = named.filter((folder) => folder !== undefined && !of(domain).has(folder))
      return [
        ...unnamed.map((folder) => `${domain}/${folder}`),
        ...gone.map((folder) => `no ${domain}/${folder}`),
      ]
    })
    expect(wrong).toEqual([])
  })

  it('names every table once', () => {
    const schema = files.filter((file) => file.startsWith('platform/db/schema/'))
    const tables = schema.flatMap((file) => {
      const text = readFileSync(join(SRC, file), 'utf8')
      return [...text.matchAll(/sqliteTable\(\s*'(\w+)'/g)].map(([, name]) => name!)
    })
    const named = domains.flatMap((domain) => namedIn(domain, 'Tables'))
    expect(named.filter((name) => /^\w+$/.test(name)).sort()).toEqual(tables.sort())
  })
})

describe('the scripts of package.json', () => {
  it('name only existing tests', () => {
    const root = join(SRC, '..')
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const named = JSON.stringify(scripts).match(/\btest\/[\w./-]+/g)!
    expect(named.length).toBeGreaterThan(20)
    expect(named.filter((start) => globSync(`${start}*`, { cwd: root }).length === 0)).toEqual([])
  })
})

describe('the directories of src', () => {
  it('have names that describe their contents', () => {
    const vague = files.filter((file) => /(^|\/)(utils?|helpers?|common|shared|misc)\//.test(file))
    expect(vague).toEqual([])
  })
})

describe('the files of src', () => {
  it('have at most 300 lines, but for tables of texts', () => {
    const long = files.filter(
      (file) =>
        !/^platform\/(i18n|reasons)\//.test(file) &&
        readFileSync(join(SRC, file), 'utf8').split('\n').length > 301,
    )
    expect(long).toEqual([])
  })
})

describe('the units of time', () => {
  it('are written out once', () => {
    const written = files.filter(
      (file) =>
        file !== 'core/time-units.ts' &&
        /\b(86_?400_?000|3_?600_?000|43_?200_?000)\b|(?<![\d_])60_?000\b|const (SECOND|MINUTE|HOUR|DAY|WEEK)_MS\b/.test(
          readFileSync(join(SRC, file), 'utf8'),
        ),
    )
    expect(written).toEqual([])
  })
})

describe('the traces', () => {
  it('have no span of our own: the name of one must be the pattern of a path', () => {
    const opening = files.filter((file) =>
      /\b(enterSpan|startActiveSpan|startSpan)\b/.test(readFileSync(join(SRC, file), 'utf8')),
    )
    expect(opening).toEqual([])
  })
})

describe('the queues', () => {
  it('each pass messages that cannot be handled to another one, which has a consumer', () => {
    const config = readFileSync(join(SRC, '../wrangler.toml'), 'utf8')
    const consumers = config
      .split('[[queues.consumers]]')
      .slice(1)
      .map((text) => text.split('[[')[0]!)
    const read = consumers.map((text) => /^queue = "(.+)"$/m.exec(text)![1]!)
    const dead = consumers.map((text) => /^dead_letter_queue = "(.+)"$/m.exec(text)?.[1])
    const lost = read.filter((queue, at) => !queue.endsWith('-dead') && !read.includes(dead[at] ?? ''))
    expect([read.length, lost]).toEqual([4, []])
  })
})
