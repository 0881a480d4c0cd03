import '../support/temporal.ts'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { accountOn } from './account.ts'
import { CHECKS } from './checks.ts'
import { openServer, remoteServer, SERVERS, type Server } from './servers.ts'

// Whether calendars on real servers behave as docs/calendars.md says: `npm run calendars [-- SERVER… WORD…]`, where a word
// is in the name of a check. The servers are Debian's and
// are installed and run as root; CALDAV_URL, CALDAV_USER and CALDAV_PASSWORD name another one instead.

type Result = { readonly isHeld: boolean; readonly cell: string }
type Column = { readonly head: string; readonly results: readonly Result[] }

async function check(server: Server): Promise<Column> {
  const results: Result[] = []
  for (const { what, run } of checks) {
    const began = Date.now()
    const result = await run(server, accountOn(server)).then(
      (said): Result => ({
        isHeld: true,
        cell: said === null ? '–' : ['yes', said].filter(Boolean).join(', '),
      }),
      (error: Error): Result => {
        console.log(error.stack)
        return { isHeld: false, cell: 'no' }
      },
    )
    console.log(`${server.name}: ${result.cell.padEnd(8)} ${what} (${Date.now() - began} ms)`)
    results.push(result)
  }
  return { head: `${server.name} ${server.version}`, results }
}

function install(packages: readonly string[]): boolean {
  const isThere = (name: string) => spawnSync('dpkg', ['-s', name], { stdio: 'ignore' }).status === 0
  const missing = packages.filter((name) => !isThere(name))
  if (missing.length === 0) return true
  if (!existsSync('/usr/bin/apt-get') || process.getuid?.() !== 0) return false
  const apt = (...args: readonly string[]) =>
    spawnSync('apt-get', ['-qq', ...args], {
      stdio: 'inherit',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  apt('update')
  return apt('install', '-y', '--no-install-recommends', ...missing).status === 0
}

const remote = remoteServer(process.env)
const words = process.argv.slice(2).map((word) => word.toLowerCase())
const scripts = SERVERS.map(({ script }) => script.replace('.sh', ''))
const names = words.filter((word) => scripts.includes(word))
const parts = words.filter((word) => !scripts.includes(word))
const checks = CHECKS.filter(({ what }) => parts.length === 0 || parts.some((part) => what.includes(part)))
const columns: Column[] = []
let isWhole = true
if (remote !== null) columns.push(await check(remote))
else {
  for (const known of SERVERS.filter(
    ({ script }) => names.length === 0 || names.includes(script.replace('.sh', '')),
  )) {
    if (!install(known.packages)) {
      console.log(`${known.name} is left out: install ${known.packages.join(' ')} on Debian, as root.`)
      isWhole = false
      continue
    }
    const server = await openServer(known)
    try {
      columns.push(await check(server))
    } finally {
      await server.remove()
    }
  }
}

console.log(`\n| | ${columns.map(({ head }) => head).join(' | ')} |`)
console.log(`| --- ${'| --- '.repeat(columns.length)}|`)
for (const [at, { what }] of checks.entries())
  console.log(`| ${what} | ${columns.map(({ results }) => results[at]!.cell).join(' | ')} |`)
const hasFailed = columns.some(({ results }) => results.some(({ isHeld }) => !isHeld))
process.exitCode = isWhole && !hasFailed ? 0 : 1
