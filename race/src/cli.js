#!/usr/bin/env node
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { findAdapter, TARGETS } from './adapters/find.js'
import { race, reasonOf } from './race.js'
import { writeSvg } from './reports/svg.js'
import { statusOf, writeText } from './reports/text.js'
import { STORMS } from './storms/all.js'

const USAGE = `Usage: holdfast-race <target> --url URL [--key KEY]
  <target>        ${TARGETS.join(', ')}, or the path of a module whose default export is an adapter
  --set a=b       a setting of the adapter, as often as needed
  --storms a,b    of ${STORMS.map(({ name }) => name).join(', ')}
  --callers 40    how many call at once
  --rounds 3      how often each storm is run, each with its own numbers
  --seed 1        the same seed gives the same requests
  --restart CMD   a command that ends the target where it stands and starts it again; it ends when the target answers
  --json FILE     the report with every finding
  --svg FILE      the table as a picture
It ends with 1 if anything was found, with 3 if the target could not be reached or a storm could not be run to its end.`

/** @param {string} message @returns {never} */
function refuse(message) {
  console.error(`${message}\n${USAGE}`)
  process.exit(2)
}

/** @param {string | undefined} text @param {string} name @param {number} usual */
function readCount(text, name, usual) {
  const count = text === undefined ? usual : Number(text)
  if (!Number.isInteger(count) || count < 1) refuse(`--${name} is a whole number from 1 on`)
  return count
}

function readOptions() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        url: { type: 'string' },
        key: { type: 'string' },
        set: { type: 'string', multiple: true },
        storms: { type: 'string' },
        callers: { type: 'string' },
        rounds: { type: 'string' },
        seed: { type: 'string' },
        restart: { type: 'string' },
        json: { type: 'string' },
        svg: { type: 'string' },
        help: { type: 'boolean' },
      },
    })
  } catch (error) {
    return refuse(/** @type {Error} */ (error).message)
  }
}

/** @param {string} command */
async function runCommand(command) {
  const child = spawn(command, { shell: true, stdio: 'inherit' })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`the restart command ended with ${code}`)
}

const { values, positionals } = readOptions()
if (values.help) {
  console.log(USAGE)
  process.exit(0)
}
const [name] = positionals
if (!name || positionals.length > 1) refuse('Name one target.')
if (!values.url || !URL.canParse(values.url)) refuse('--url is the address of the running target.')
const storms = values.storms?.split(',') ?? null
const unknown = storms?.find((storm) => !STORMS.some(({ name }) => name === storm))
if (unknown !== undefined) refuse(`There is no storm ${unknown}.`)
const settings = Object.fromEntries(
  (values.set ?? []).map((pair) => {
    const at = pair.indexOf('=')
    return at < 1 ? refuse(`--set ${pair} has no name and value`) : [pair.slice(0, at), pair.slice(at + 1)]
  }),
)
const adapter = (await findAdapter(name)) ?? refuse(`There is no target ${name}.`)
const { restart } = values
/** @param {unknown} error @returns {never} */
function cannotStart(error) {
  console.error(`${name} at ${values.url}: ${reasonOf(error)}`)
  process.exit(3)
}
const target = await adapter({
  url: values.url.replace(/\/$/, ''),
  key: values.key ?? '',
  settings,
  restart: restart === undefined ? null : () => runCommand(restart),
}).catch(cannotStart)
const report = await race(target, {
  seed: readCount(values.seed, 'seed', 1),
  callers: readCount(values.callers, 'callers', 40),
  rounds: readCount(values.rounds, 'rounds', 3),
  storms,
  say: (line) => process.stderr.isTTY && console.error(line),
})
console.log(writeText(report))
if (values.json) await writeFile(values.json, `${JSON.stringify(report, null, 2)}\n`)
if (values.svg) await writeFile(values.svg, writeSvg(report))
process.exitCode = statusOf(report)
