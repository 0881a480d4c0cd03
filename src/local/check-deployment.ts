import { execFileSync } from 'node:child_process'
import { unstable_readConfig as readConfig } from 'wrangler'
import { deploymentProblems } from './deployment.ts'

/** The code of Cloudflare's API for it. */
const NO_SUCH_WORKER = '10007'

const { vars, queues, observability } = readConfig({ config: 'wrangler.toml' })
const secrets = secretNames()
const problems = deploymentProblems({ vars, secrets, consumers: queues.consumers ?? [], observability })
for (const problem of problems) console.error(`- ${problem}`)
if (problems.length > 0 || secrets === null) {
  console.error('\nNothing was deployed.')
  process.exit(1)
}

/** The names of the secrets, null where they cannot be listed: before the first one is put, there is no Worker. */
function secretNames(): ReadonlySet<string> | null {
  try {
    const listed = execFileSync('wrangler', ['secret', 'list', '--format', 'json'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    })
    return new Set((JSON.parse(listed) as { name: string }[]).map(({ name }) => name))
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    if (`${stdout}${stderr}`.includes(NO_SUCH_WORKER)) return new Set()
    console.error(`The secrets could not be listed:\n${stderr || stdout || error}`)
    return null
  }
}
