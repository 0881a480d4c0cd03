import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildWorker, migrateState } from '../support/service.ts'
import { type Options, optionsOf, USAGE } from './options.ts'
import { linesOf } from './report.ts'
import { soak } from './soak.ts'

function given(): Options {
  try {
    return optionsOf(process.argv.slice(2))
  } catch (error) {
    console.error(`${(error as Error).message}\n${USAGE}`)
    process.exit(2)
  }
}

const options = given()
console.log(`The seed is ${options.seed}. ${options.operations} operations, ${options.kills} kills.`)
const directory = await mkdtemp(join(tmpdir(), 'soak-'))
const state = join(directory, 'state')
try {
  const [bundle] = await Promise.all([buildWorker(join(directory, 'build')), migrateState(state)])
  const report = await soak(options, { bundle, state, say: console.log })
  console.log(`\n${linesOf(report).join('\n')}`)
  if (report.ledger.findings.length > 0) process.exitCode = 1
} finally {
  await rm(directory, { recursive: true, force: true })
}
process.exit()
