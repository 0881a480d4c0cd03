import '../support/temporal.ts'
import { accountOn } from './account.ts'
import { API_CHECKS } from './api-checks.ts'
import { CHECKS } from './checks.ts'
import { openHoldfast } from './holdfast.ts'
import { installPackages } from './install-packages.ts'
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
    const result = await run(server, accountOn(server), holdfast).then(
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

const remote = remoteServer(process.env)
const words = process.argv.slice(2).map((word) => word.toLowerCase())
const scripts = SERVERS.map(({ script }) => script.replace('.sh', ''))
const names = words.filter((word) => scripts.includes(word))
const parts = words.filter((word) => !scripts.includes(word))
const checks = [...CHECKS, ...API_CHECKS].filter(
  ({ what }) => parts.length === 0 || parts.some((part) => what.toLowerCase().includes(part)),
)
const holdfast = await openHoldfast()
const columns: Column[] = []
let isWhole = true
if (remote !== null) columns.push(await check(remote))
else {
  for (const known of SERVERS.filter(
    ({ script }) => names.length === 0 || names.includes(script.replace('.sh', '')),
  )) {
    if (!installPackages(known.packages)) {
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

await holdfast.close()
console.log(`\n| | ${columns.map(({ head }) => head).join(' | ')} |`)
console.log(`| --- ${'| --- '.repeat(columns.length)}|`)
for (const [at, { what }] of checks.entries())
  console.log(`| ${what} | ${columns.map(({ results }) => results[at]!.cell).join(' | ')} |`)
const hasFailed = columns.some(({ results }) => results.some(({ isHeld }) => !isHeld))
process.exitCode = isWhole && !hasFailed ? 0 : 1
