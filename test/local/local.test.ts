import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { unstable_readConfig as readConfig } from 'wrangler'
import { deploymentProblems } from '../../src/local/deployment.ts'
import { holdState } from '../../src/local/hold-state.ts'
import {
  entryFor,
  type LockFile,
  missingPackages,
  unprovenPackages,
  withIntegrity,
} from '../../src/local/lock-file.ts'
import { readServiceKey, readSettings } from '../../src/local/settings.ts'
import { migrate, stopWrangler } from '../../src/local/wrangler.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as LockFile

describe('the lock file', () => {
  it('describes every optional package, so that npm ci works on every platform (if not: npm run lock)', () => {
    expect(missingPackages(lock)).toEqual([])
  })

  it('has a checksum of every package (if not: npm run lock)', () => {
    expect(unprovenPackages(lock)).toEqual([])
    const entries = Object.entries(lock.packages).filter(
      ([path, { link }]) => path.includes('node_modules/') && !link,
    )
    expect(entries.length).toBeGreaterThan(100)
    for (const [path, { integrity }] of entries)
      expect([path, integrity]).toEqual([path, expect.stringMatching(/^sha512-.{86}==$/)])
  })

  it('finds packages without a checksum, at every depth, and writes it behind the version', () => {
    const bare = { version: '1.0.0', optional: true }
    const packages = {
      '': {},
      'test/own': { version: '1.0.0' },
      'node_modules/own': { link: true },
      'node_modules/a': { ...bare, integrity: 'sha512-x' },
      'node_modules/a/node_modules/@scope/b': bare,
    }
    expect(unprovenPackages({ packages })).toEqual([
      { path: 'node_modules/a/node_modules/@scope/b', name: '@scope/b', version: '1.0.0' },
    ])
    expect(Object.entries(withIntegrity(bare, 'sha512-x'))[1]).toEqual(['integrity', 'sha512-x'])
  })

  it('names no registry', () => {
    const fetched = Object.entries(lock.packages).filter(([, each]) => !each.link)
    expect(fetched.filter(([, each]) => 'resolved' in each)).toEqual([])
  })

  it('finds a package that lies below the one that wants it, and reports one that is nowhere', () => {
    const wanting = {
      version: '1.0.0',
      optionalDependencies: { 'tool-darwin-arm64': '1.0.0', 'tool-linux-x64': '1.0.0' },
    }
    const packages = {
      '': {},
      'node_modules/a/node_modules/tool': wanting,
      'node_modules/a/node_modules/tool-linux-x64': { version: '1.0.0' },
    }
    expect(missingPackages({ packages }).map(({ name }) => name)).toEqual(['tool-darwin-arm64'])
  })

  it.each([
    ['@biomejs/cli-linux-x64-musl', { cpu: ['x64'], libc: ['musl'], os: ['linux'] }],
    ['@biomejs/cli-darwin-arm64', { cpu: ['arm64'], os: ['darwin'] }],
    ['@cloudflare/workerd-windows-64', { cpu: ['x64'], os: ['win32'] }],
  ])('describes %s by its name as npm would', (name, platform) => {
    const missing = { path: `node_modules/${name}`, name, version: '1.2.3', dev: true }
    expect(entryFor(missing)).toEqual({ version: '1.2.3', dev: true, optional: true, ...platform })
  })
})

describe('before npm start and npm test', () => {
  const directories: string[] = []
  afterEach(() => {
    for (const directory of directories.splice(0)) rmSync(directory, { recursive: true })
  })

  const LOCKED = {
    '': { name: 'project' },
    'node_modules/one': { version: '1.0.0' },
    'node_modules/one-darwin-arm64': { version: '1.0.0', optional: true },
  }

  /** A project that has `installed` of what is locked, and an npm that only writes down what it was asked to do. */
  function projectWith(installed: Record<string, unknown> | null): string {
    const directory = mkdtempSync(join(tmpdir(), 'holdfast-install-'))
    directories.push(directory)
    mkdirSync(join(directory, 'node_modules'))
    mkdirSync(join(directory, 'bin'))
    cpSync(join(ROOT, 'src/local/install.mjs'), join(directory, 'install.mjs'))
    writeFileSync(join(directory, 'package-lock.json'), JSON.stringify({ packages: LOCKED }))
    if (installed) {
      const file = join(directory, 'node_modules/.package-lock.json')
      writeFileSync(file, JSON.stringify({ packages: installed }))
    }
    writeFileSync(join(directory, 'bin/npm'), '#!/bin/sh\necho "$@" > asked\n')
    chmodSync(join(directory, 'bin/npm'), 0o755)
    return directory
  }

  function install(directory: string, node = process.versions.node) {
    const caller = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { node: '${node}' } })`
    return spawnSync(process.execPath, ['--import', caller, 'install.mjs'], {
      cwd: directory,
      env: { PATH: `${join(directory, 'bin')}:/usr/bin:/bin` },
      encoding: 'utf8',
    })
  }

  function npmCalls(installed: Record<string, unknown> | null): string {
    const directory = projectWith(installed)
    expect(install(directory).status).toBe(0)
    const asked = join(directory, 'asked')
    return existsSync(asked) ? readFileSync(asked, 'utf8').trim() : ''
  }

  it('installs what is locked into an empty folder', () => {
    expect(npmCalls(null)).toBe('ci --loglevel=error')
  })

  it('does nothing when that is installed, whatever is missing for other platforms', () => {
    expect(npmCalls({ 'node_modules/one': { version: '1.0.0' } })).toBe('')
  })

  it.each([
    ['another version', { 'node_modules/one': { version: '1.0.1' } }],
    ['too little', {}],
    ['too much', { 'node_modules/one': { version: '1.0.0' }, 'node_modules/two': { version: '1.0.0' } }],
  ])('installs again when %s is installed', (_, installed) => {
    expect(npmCalls(installed)).toBe('ci --loglevel=error')
  })

  it('says how to get Node if npm runs no scripts, because an older npm runs none of ours', () => {
    const directory = projectWith({ 'node_modules/one': { version: '1.0.0' } })
    const { status, stderr } = install(directory, '20.0.0')
    expect([status, stderr]).toEqual([1, expect.stringContaining('npm rebuild node --ignore-scripts=false')])
    mkdirSync(join(directory, 'node_modules/node/bin'), { recursive: true })
    expect(install(directory, '20.0.0').status).toBe(0)
  })
})

describe('npm start', () => {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-state-'))
  afterAll(() => rmSync(directory, { recursive: true }))

  it('says so if nothing can be stored', () => {
    const file = join(directory, 'file')
    writeFileSync(file, '')
    expect(() => holdState(file)).toThrow(`Nothing can be kept in ${file}: `)
  })

  it('shares its data with no other start, which would find the database locked', () => {
    const state = join(directory, 'new/state')
    holdState(state)
    expect(() => holdState(state)).toThrow(`Another npm start keeps its data in ${state}.`)
    expect(() => holdState(join(directory, 'other'))).not.toThrow()
  })

  it('calls with the newest of the service keys that are listed while one takes the place of another', () => {
    const file = join(directory, '.dev.vars')
    writeFileSync(file, 'SERVICE_KEY="new-key-of-this-machine, old-key-of-this-machine"')
    expect(readServiceKey(file)).toBe('new-key-of-this-machine')
  })

  it('starts nothing any more once it is being stopped', async () => {
    await stopWrangler()
    await expect(migrate(readSettings({ HOLDFAST_STATE: directory }))).rejects.toThrow('being stopped')
  })
})

describe('npm run deploy', () => {
  const vars = { PUBLIC_URL: 'https://book.acme.com', EMAIL_FROM: 'bookings@acme.com' }
  const secrets = ['SERVICE_KEY', 'ENCRYPTION_KEY']
  const problems = (more: Record<string, unknown>, put: readonly string[] = secrets) =>
    deploymentProblems({ vars: { ...vars, ...more }, secrets: new Set(put), consumers: [] })

  it('finds nothing wrong with an address, a sender and the secrets of one’s own', () => {
    expect(problems({})).toEqual([])
    expect(problems({ STRIPE_PUBLISHABLE_KEY: 'pk_live_1' })).toEqual([])
  })

  it.each([
    'http://localhost:8787',
    'https://localhost',
    'https://127.0.0.1',
    'http://book.acme.com',
    'https://holdfast.local',
    'https://book.acme.com/',
    'https://book.acme.com/holdfast',
    'https://book.acme.com?a=1',
    'https://ada@book.acme.com',
    ' https://book.acme.com',
    'book.acme.com',
    '',
  ])('refuses the address %j', (PUBLIC_URL) => {
    expect(problems({ PUBLIC_URL })).toEqual([expect.stringContaining('PUBLIC_URL')])
  })

  it.each([
    'bookings@holdfast.example',
    'Acme <hello@example.com>',
    'Acme <hello@acme.com>',
    'hello',
    'hello@acme',
    '',
  ])('refuses the sender %j', (EMAIL_FROM) => {
    expect(problems({ EMAIL_FROM })).toEqual([expect.stringContaining('EMAIL_FROM')])
  })

  it.each(['SERVICE_KEY', 'ENCRYPTION_KEY'])('refuses to go without %s', (name) => {
    const others = secrets.filter((each) => each !== name)
    expect(problems({}, others)).toEqual([`${name} is missing: run: npx wrangler secret put ${name}`])
  })

  it('rejects secrets among the variables, because everybody with access to the file can read them', () => {
    const payments = { STRIPE_WEBHOOK_SECRET: 'whsec_1', STRIPE_PUBLISHABLE_KEY: 'pk_live_1' }
    expect(problems({ STRIPE_SECRET_KEY: 'sk_live_1', ...payments })).toEqual([
      expect.stringContaining('STRIPE_SECRET_KEY is a secret'),
      expect.stringContaining('STRIPE_WEBHOOK_SECRET is a secret'),
    ])
  })

  it('refuses half of a registration', () => {
    expect(problems({ GOOGLE_CLIENT_ID: 'client' })).toEqual([
      'GOOGLE_CLIENT_ID is set and GOOGLE_CLIENT_SECRET is not: they need each other.',
    ])
    const publishable = { STRIPE_PUBLISHABLE_KEY: 'pk_live_1' }
    expect(problems(publishable, [...secrets, 'STRIPE_SECRET_KEY'])).toHaveLength(1)
    const openId = { OIDC_ISSUER: 'https://id.acme.com', OIDC_CLIENT_ID: 'client' }
    expect(problems(openId)).toEqual([
      'OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET need each other, and OIDC_CLIENT_SECRET is not set.',
    ])
    expect(problems(openId, [...secrets, 'OIDC_CLIENT_SECRET'])).toEqual([])
  })

  it('refuses a part of the registration at Twilio, and names what is missing', () => {
    const sid = { TWILIO_ACCOUNT_SID: 'AC1' }
    const token = [...secrets, 'TWILIO_AUTH_TOKEN']
    const needs = (name: string) =>
      `${name} is not set: text messages need it, because others of Twilio are set.`
    const sender = needs('TWILIO_FROM or TWILIO_MESSAGING_SERVICE_SID')
    expect(problems(sid)).toEqual([needs('TWILIO_AUTH_TOKEN'), sender])
    expect(problems({ TWILIO_FROM: '+15005550006' }, token)).toEqual([needs('TWILIO_ACCOUNT_SID')])
    expect(problems(sid, token)).toEqual([sender])
    expect(problems({ ...sid, TWILIO_MESSAGING_SERVICE_SID: 'MG1' }, token)).toEqual([])
    expect(problems({ ...sid, TWILIO_FROM: '+15005550006', TWILIO_AUTH_TOKEN: 'x' }, secrets)).toEqual([
      'TWILIO_AUTH_TOKEN is a secret: take it out of [vars] and run: npx wrangler secret put TWILIO_AUTH_TOKEN',
    ])
  })

  it('asks for the publishable key of payments, without which no page can take one', () => {
    const payments = [...secrets, 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET']
    expect(problems({}, payments)).toEqual([expect.stringContaining('STRIPE_PUBLISHABLE_KEY is not set')])
    expect(problems({ STRIPE_PUBLISHABLE_KEY: 'pk_live_1' }, payments)).toEqual([])
  })

  it.each([
    [{ SIGN_UP: 'true' }, 'SIGN_UP must be open or closed'],
    [{ RETENTION_DAYS: '90 days' }, 'RETENTION_DAYS must be a whole number of days'],
    [{ DUMP_DAYS: '0' }, 'DUMP_DAYS must be a whole number of days'],
  ])('refuses %j, with which the service would answer nothing but 500', (given, problem) => {
    expect(problems(given)).toEqual([`${problem}: every endpoint would answer 500.`])
    expect(problems({ SIGN_UP: 'open', RETENTION_DAYS: 30, DUMP_DAYS: '7' })).toEqual([])
  })

  it('refuses to have paths and query strings recorded, which hold tokens and addresses', () => {
    const recorded = (observability?: Parameters<typeof deploymentProblems>[0]['observability']) =>
      deploymentProblems({ vars, secrets: new Set(secrets), consumers: [], observability })
    const patterns = {
      enabled: true,
      redact_query_string: true,
      logs: { invocation_logs: false },
      traces: { enabled: false },
    }
    const off = { enabled: false }
    expect([recorded(), recorded({}), recorded(off), recorded(patterns)].flat()).toEqual([])
    for (const [changes, problem] of [
      [{ traces: { enabled: true } }, 'Traces record paths'],
      [{ traces: {} }, 'Traces record paths'],
      [{ traces: undefined }, 'Traces record paths'],
      [{ ...off, traces: { enabled: true } }, 'Traces record paths'],
      [{ logs: { invocation_logs: true } }, 'Invocation logs record paths'],
      [{ logs: undefined }, 'Invocation logs record paths'],
      [{ redact_query_string: false }, 'Query strings hold tokens'],
      [{ redact_query_string: undefined }, 'Query strings hold tokens'],
    ] as const) {
      expect(recorded({ ...patterns, ...changes } as object)).toEqual([expect.stringContaining(problem)])
    }
    const { observability } = readConfig({ config: join(ROOT, 'wrangler.toml') })
    expect([recorded(observability), observability]).toEqual([[], expect.objectContaining(patterns)])
  })

  it('refuses queues whose dead letters nobody reads, or not as dead letters', () => {
    const queues = (...consumers: { queue: string; dead_letter_queue?: string }[]) =>
      deploymentProblems({ vars, secrets: new Set(secrets), consumers })
    const events = { queue: 'events', dead_letter_queue: 'events-dead' }
    expect(queues(events, { queue: 'events-dead' })).toEqual([])
    expect(queues(events)).toEqual([expect.stringContaining('events-dead takes what events gives up')])
    const named = { queue: 'events-staging', dead_letter_queue: 'events-dead-staging' }
    expect(queues(named, { queue: 'events-dead-staging' })).toEqual([
      'events-staging must have a dead_letter_queue whose name ends in -dead.',
    ])
  })

  it.each([
    ['applied', '✅ No migrations to apply!', 0],
    ['turned down, as by whoever says no to wrangler', 'Migrations to be applied:', 1],
  ])(
    'goes on from migrations only when they were %s',
    (_, said, status) => {
      const directory = mkdtempSync(join(tmpdir(), 'holdfast-migrate-'))
      const lists = `[ "$3" != list ] || [ "$WRANGLER_LOG" = error ] || echo '${said}'`
      writeFileSync(join(directory, 'wrangler'), `#!/bin/sh\n${lists}\n`)
      chmodSync(join(directory, 'wrangler'), 0o755)
      const migrated = spawnSync(process.execPath, ['src/local/migrate-deployment.ts'], {
        cwd: ROOT,
        // As somebody has it who wants to hear of errors alone.
        env: { ...process.env, WRANGLER_LOG: 'error', PATH: `${directory}:${process.env.PATH}` },
        encoding: 'utf8',
      })
      rmSync(directory, { recursive: true })
      expect(migrated.status).toBe(status)
      expect(migrated.stderr.includes('the Worker was not deployed')).toBe(status === 1)
    },
    60_000,
  )

  it('knows the words in which wrangler says that nothing is left to migrate', () => {
    const program = readFileSync(join(ROOT, 'node_modules/wrangler/wrangler-dist/cli.js'), 'utf8')
    expect(program).toContain('No migrations to apply!')
  })

  it('refuses private hosts', () => {
    expect(problems({ ALLOW_PRIVATE_HOSTS: 'true' })).toHaveLength(1)
  })

  it('deploys nothing of what is in the repository as it is', () => {
    const config = readFileSync(join(ROOT, 'wrangler.toml'), 'utf8')
    const shippedValue = (name: string) => new RegExp(`^${name} = "(.*)"$`, 'm').exec(config)![1]
    const shipped = { PUBLIC_URL: shippedValue('PUBLIC_URL'), EMAIL_FROM: shippedValue('EMAIL_FROM') }
    expect(problems(shipped)).toHaveLength(2)
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    expect(scripts.deploy).toMatch(/^node src\/local\/check-deployment\.ts && /)
  })

  it("asks, by Cloudflare's button, for what a deployment needs, says what it is and suggests no value", () => {
    const { cloudflare } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    const lines = readFileSync(join(ROOT, '.dev.vars.example'), 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
    expect(lines).toEqual(['SERVICE_KEY=', 'ENCRYPTION_KEY='])
    expect(problems({}, [])).toHaveLength(lines.length)
    expect(Object.keys(cloudflare.bindings)).toEqual([
      'SERVICE_KEY',
      'ENCRYPTION_KEY',
      'PUBLIC_URL',
      'EMAIL_FROM',
    ])
  })
})
