import { readFileSync } from 'node:fs'
import { audit } from './audit.js'
import { randomFrom } from './random.js'
import { STORMS } from './storms/all.js'
import { watch } from './watch.js'

/**
 * @typedef {import('./types.d.ts').Target} Target
 * @typedef {import('./types.d.ts').Row} Row
 * @typedef {import('./storms/storm.d.ts').Storm} Storm
 */

const MINUTE_MS = 60_000
const DAY_MS = 1_440 * MINUTE_MS
const DAYS_AHEAD = 7

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

/**
 * Runs the storms one after another against a target, each in event types of its own, and audits what it left.
 *
 * @param {Target} target
 * @param {{ seed: number, callers: number, rounds: number, storms: readonly string[] | null, say?: (line: string) => void }} options
 * @returns {Promise<import('./types.d.ts').Report>}
 */
export async function race(target, { seed, callers, rounds, storms, say = () => {} }) {
  /** @type {Row[]} */
  const rows = []
  for (const storm of STORMS.filter(({ name }) => storms === null || storms.includes(name))) {
    say(`${storm.title} …`)
    const missing = storm.needs.filter((feature) => !target.features.has(feature))
    rows.push(
      missing.length > 0
        ? emptyRow(storm, `the adapter does not have: ${missing.join(', ')}`)
        : await runStorm(target, storm, { seed, callers, rounds }),
    )
  }
  return {
    target: target.name,
    version: target.version,
    race: version,
    node: process.version,
    seed,
    callers,
    rounds,
    at: new Date().toISOString(),
    rows,
  }
}

/**
 * @param {Target} target
 * @param {Storm} storm
 * @param {{ seed: number, callers: number, rounds: number }} options
 * @returns {Promise<Row>}
 */
async function runStorm(target, storm, { seed, callers, rounds }) {
  const watched = watch(target)
  /** @type {import('./types.d.ts').Finding[]} */
  const findings = []
  let stopped = null
  for (let round = 0; round < rounds && stopped === null; round++) {
    const before = watched.acts.length
    try {
      const { eventTypes, fullUse = true } = await storm.run(makeWorld(watched, seed + round, callers))
      const listed = new Map()
      for (const eventType of eventTypes) listed.set(eventType, await target.list(eventType))
      findings.push(...audit(watched.acts.slice(before), listed, { fullUse }))
    } catch (error) {
      // What was acknowledged in this round cannot be judged. The target may be back for the next storm.
      stopped = `round ${round + 1}: ${reasonOf(error)}`
    }
  }
  const count = (/** @type {string} */ kind) => findings.filter((finding) => finding.kind === kind).length
  return {
    ...emptyRow(storm, null),
    stopped,
    ...watched.counts(),
    double: count('double'),
    lost: count('lost'),
    falseOffers: count('false_offer'),
    falseRefusals: count('false_refusal'),
    p50: percentile(watched.times, 0.5),
    p99: percentile(watched.times, 0.99),
    findings,
  }
}

/**
 * @param {import('./watch.js').Watched} watched
 * @param {number} seed
 * @param {number} callers
 * @returns {import('./storms/storm.d.ts').World}
 */
function makeWorld(watched, seed, callers) {
  const random = randomFrom(seed)
  const name = crypto.randomUUID().slice(0, 8)
  let people = 0
  const somebody = () => {
    people += 1
    return { name: `Racer ${people}`, email: `racer-${people}-${name}@example.com` }
  }
  return {
    watched,
    random,
    somebody,
    day: Math.floor(Date.now() / DAY_MS) * DAY_MS + DAYS_AHEAD * DAY_MS,
    minute: MINUTE_MS,
    everybody: async (act) => {
      const order = random.shuffle(Array.from({ length: callers }, (_, at) => at))
      await Promise.all(order.map((at) => act(somebody(), at)))
    },
  }
}

/** @param {Storm} storm @param {string | null} leftOut @returns {Row} */
function emptyRow({ name, title }, leftOut) {
  const counts = { calls: 0, made: 0, failed: 0, double: 0, lost: 0, falseOffers: 0, falseRefusals: 0 }
  return { storm: name, title, leftOut, stopped: null, ...counts, p50: 0, p99: 0, findings: [] }
}

/** What an error says. Only a fault of the adapter needs the name and the line too. @param {unknown} error */
export function reasonOf(error) {
  if (!(error instanceof Error)) return String(error)
  const isOurs = error.constructor === Error
  return isOurs ? error.message : (error.stack?.split('\n', 2).join('') ?? error.message)
}

/** @param {readonly number[]} values @param {number} part */
function percentile(values, part) {
  const inOrder = [...values].sort((one, other) => one - other)
  return inOrder[Math.min(inOrder.length - 1, Math.floor(inOrder.length * part))] ?? 0
}
