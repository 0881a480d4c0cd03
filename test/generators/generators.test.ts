import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { takeBuilt } from '../support/build-for-e2e.ts'
import { SERVICE_KEY, type Service, startService } from '../support/service.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const TOOLS = join(ROOT, 'test/generators')
const MADE = join(TOOLS, 'made')
const DOCUMENT = join(MADE, 'openapi.json')

/** The generator, what it makes below `made/`, its program, and what the program is called with. */
const GENERATORS: readonly (readonly [name: string, made: string, file: string, ...args: string[]])[] = [
  ['hey-api', 'hey-api', '@hey-api/openapi-ts/bin/run.js', '-i', DOCUMENT, '-o', join(MADE, 'hey-api')],
  ['orval', 'orval/holdfast.ts', 'orval/dist/bin/orval.mjs', '--config', 'orval.config.mjs'],
  [
    ...(['swagger-typescript-api', 'swagger-typescript-api', 'swagger-typescript-api/dist/cli.mjs'] as const),
    ...['generate', '-p', DOCUMENT, '-o', join(MADE, 'swagger-typescript-api')],
    ...['-n', 'holdfast.ts', '--api-class-name', 'Holdfast', '--enum-style', 'union'],
  ],
  ['kubb', 'kubb', '@kubb/cli/bin/kubb.cjs', 'generate', '--config', 'kubb.config.ts'],
  ['oazapfts', 'oazapfts.ts', 'oazapfts/dist/cli.js', DOCUMENT, join(MADE, 'oazapfts.ts')],
  // It puts its directory before every path, absolute ones too.
  ['typed-openapi', 'typed-openapi.ts', 'typed-openapi/bin.js', DOCUMENT, '-o', 'made/typed-openapi.ts'],
  ['rtk-query', 'rtk-query.ts', '@rtk-query/codegen-openapi/lib/bin/cli.mjs', 'rtk-query.config.cjs'],
]

let directory: string
let service: Service
let env: Record<string, string | undefined>

async function run(file: string, args: readonly string[], more = {}) {
  const given = { cwd: TOOLS, env: { ...env, ...more, NO_COLOR: '1' }, maxBuffer: 16 * 1024 * 1024 }
  const { stdout, stderr, code } = await promisify(execFile)(process.execPath, [file, ...args], given).catch(
    (failure) => failure,
  )
  return { told: `${stdout}${stderr}`, code: code ?? 0 }
}

/** A program as its package names it. */
const tool = (path: string) => join(TOOLS, 'node_modules', path)

async function post(path: string, body: unknown, headers = {}) {
  const response = await fetch(new URL(path, service.url), {
    method: 'POST',
    headers: { Authorization: `Bearer ${SERVICE_KEY}`, ...headers },
    body: JSON.stringify(body),
  })
  return (await response.json()) as any
}

describe('the document', () => {
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'holdfast-generators-'))
    const state = join(directory, 'state')
    service = await startService(await takeBuilt(state), state)
    const { id } = await post('/v1/organizations', { name: 'Generated', owner_user_id: randomUUID() })
    await fetch(new URL(`/v1/organizations/${id}`, service.url), {
      method: 'PATCH',
      headers: { Authorization: `Bearer ${SERVICE_KEY}` },
      body: '{ "tier": "scale" }',
    })
    const { key } = await post('/v1/api-keys', { name: 'Generated', mode: 'live' }, { 'X-Org-Id': id })
    const url = service.url.replace(/\/$/, '')
    const DAY = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
    env = { ...process.env, HOLDFAST_URL: url, HOLDFAST_KEY: key, DAY, BASE_URL: url, DOCUMENT }
    await run(join(ROOT, 'src/local/dump-openapi.ts'), [DOCUMENT])
  }, 300_000)

  afterAll(async () => {
    await service?.kill()
    await rm(directory, { recursive: true, force: true })
  })

  it('is a collection too, which the package of Postman imports and sends from', async () => {
    const { Collection } = createRequire(join(TOOLS, 'package.json'))('postman-collection')
    const source = (await (await fetch(new URL('/v1/postman.json', service.url))).json()) as any
    const collection = new Collection(source)
    const calls: any[] = []
    collection.forEachItem((one: unknown) => calls.push(one))
    const named = source.item.flatMap(({ item }: any) => item.map(({ name }: any) => name))
    expect(named.length).toBeGreaterThan(100)
    expect(calls.map(({ name }) => name)).toEqual(named)

    collection.variables.upsert({ key: 'baseUrl', value: env.HOLDFAST_URL })
    collection.variables.upsert({ key: 'key', value: env.HOLDFAST_KEY })
    const send = async (name: string, id?: string) => {
      const one = calls.find((each) => each.name === name)
      if (id) one.request.url.variables.upsert({ key: 'id', value: id })
      const { type } = one.getAuth()
      const bearer = collection.variables.replace(one.getAuth().parameters().get('token') ?? '')
      const response = await fetch(collection.variables.replace(one.request.url.toString()), {
        method: one.request.method,
        headers: {
          ...one.request.getHeaders(),
          ...(type === 'bearer' && { Authorization: `Bearer ${bearer}` }),
        },
        ...(one.request.body && { body: one.request.body.raw }),
      })
      return { status: response.status, body: (await response.json()) as any }
    }
    const made = await send('Create an event type')
    expect(made.status).toBe(201)
    expect((await send('Get an event type', made.body.id)).body.id).toBe(made.body.id)
    expect((await send('List bookings')).body.data).toEqual([])
    for (const { request } of calls) {
      expect(collection.variables.replace(request.url.toString())).toMatch(/^http:\/\/[^{]+$/)
      if (request.body) expect(() => JSON.parse(request.body.raw)).not.toThrow()
    }
  })

  it('has a client that linters of packages find nothing in', async () => {
    await run(join(ROOT, 'src/local/build-client.ts'), [])
    const client = join(ROOT, 'client')
    const published = await run(tool('publint/src/cli.js'), [client, '--strict', '--pack', 'npm'])
    expect([published.told, published.code]).toEqual([expect.stringContaining('All good!'), 0])
    const types = await run(tool('@arethetypeswrong/cli/dist/index.js'), ['--pack', client])
    expect([types.told, types.code]).toEqual([expect.stringContaining('No problems found'), 0])
  }, 120_000)

  it('leaves a linter nothing to report', async () => {
    const linter = tool('@stoplight/spectral-cli/dist/index.js')
    const { told, code } = await run(linter, [
      'lint',
      DOCUMENT,
      '--ruleset',
      'spectral.yaml',
      '--fail-severity',
      'hint',
    ])
    expect([told.trim(), code]).toEqual(["No results with a severity of 'hint' or higher found!", 0])
  })

  it('makes clients without a warning, and what they are made of compiles', async () => {
    for (const [name, made, file, ...args] of GENERATORS) {
      const { told, code } = await run(tool(file), args, { OUTPUT: join(MADE, made) })
      expect([name, told.match(/.*(warn|error|⚠).*/i)?.[0] ?? '', code]).toEqual([name, '', 0])
    }
    const compiled = await run(tool('typescript/bin/tsc'), ['--project', 'tsconfig.json'])
    expect(compiled.told).toBe('')
  }, 300_000)

  it.each(GENERATORS.map(([name]) => name))('runs the main path by the client of %s', async (name) => {
    const outfile = join(directory, `${name}.mjs`)
    await build({
      entryPoints: [join(TOOLS, `main-path-${name}.ts`)],
      bundle: true,
      format: 'esm',
      platform: 'node',
      outfile,
    })
    const { told } = await run(outfile, [], { SLUG: `by-${name}` })
    expect(told).toBe('["confirmed",3,"cancelled",1]\n')
  })
})
