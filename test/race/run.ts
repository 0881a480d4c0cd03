import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { race } from '../../race/src/race.js'
import { writeSvg } from '../../race/src/reports/svg.js'
import { writeText } from '../../race/src/reports/text.js'
import { TARGETS } from './targets.ts'

// The storms of `race/` against whatever can be started on this machine. Only what Holdfast does wrong fails the run.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '3' },
    callers: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    out: { type: 'string', default: 'dist/race' },
  },
})
const names = positionals.length > 0 ? positionals : Object.keys(TARGETS)
const options = {
  rounds: Number(values.rounds),
  callers: Number(values.callers),
  seed: Number(values.seed),
  storms: null,
}
await mkdir(values.out, { recursive: true })
for (const name of names) {
  const start = TARGETS[name]
  if (!start) throw new Error(`there is no target ${name}: ${Object.keys(TARGETS).join(', ')}`)
  const started = await start()
  if (typeof started === 'string') {
    console.log(`${name} was not run: ${started}.\n`)
    continue
  }
  const report = await race(started.target, options)
  await started.stop()
  console.log(writeText(report))
  await writeFile(join(values.out, `${name}.json`), `${JSON.stringify(report, null, 2)}\n`)
  await writeFile(join(values.out, `${name}.svg`), writeSvg(report))
  const isOurs = name === 'holdfast'
  if (
    isOurs &&
    report.rows.some(
      ({ findings, leftOut, stopped }) => findings.length > 0 || leftOut !== null || stopped !== null,
    )
  ) {
    process.exitCode = 1
  }
}
process.exit()
