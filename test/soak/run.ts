import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildWorker, migrateState } from '../support/service.ts'
import { type Options, optionsOf, USAGE } from './options.ts'
import { type Piece, Pieces } from './pieces.ts'
import { linesOf } from './report.ts'
import { soak } from './soak.ts'

const MINUTE_MS = 60_000

function given(): Options {
  try {
    return optionsOf(process.argv.slice(2))
  } catch (error) {
    console.error(`${(error as Error).message}\n${USAGE}`)
    process.exit(2)
  }
}

const options = given()
const until = Date.now() + options.minutes * MINUTE_MS
const work = await mkdtemp(join(tmpdir(), 'soak-'))
const pieces = new Pieces(options.state ?? join(work, 'pieces'), options.seed)
const done = pieces.finished().reduce((sum, { sent }) => sum + sent, 0)
console.log(`The seed is ${pieces.seed}. ${options.operations} operations, ${done} of them done before.`)
let isSound = true
try {
  const bundle = await buildWorker(join(work, 'build'))
  const hash = createHash('sha256').update(await readFile(bundle))
  const tested = hash.digest('hex').slice(0, 12)
  while (Date.now() < until) {
    const piece = await nextPiece(bundle, tested)
    isSound = piece?.findings.length === 0 || piece === null
    if (!piece || !isSound) break
  }
} finally {
  console.log(`\n${linesOf(pieces.finished()).join('\n')}`)
  await rm(work, { recursive: true, force: true })
}
process.exit(isSound ? 0 : 1)

async function nextPiece(bundle: string, tested: string): Promise<Piece | null> {
  const claim = pieces.claim(options.operations, options.piece)
  if (!claim) return null
  const { number, seed, operations, directory } = claim
  const say = (line: string) => console.log(`piece ${number}: ${line}`)
  say(`${operations} operations with the seed ${seed}`)
  const state = join(directory, 'state')
  await migrateState(state)
  const { clients, killEvery } = options
  const kills = Math.floor(operations / killEvery)
  const report = await soak({ operations, seed, clients, kills, until }, { bundle, state, say })
  const { ledger, compared, ...measured } = report
  const piece: Piece = {
    number,
    seed,
    bundle: tested,
    endedAt: new Date().toISOString(),
    clients,
    ...measured,
    ...compared,
    acknowledged: ledger.acknowledged,
    counts: Object.fromEntries(ledger.counts),
    findings: ledger.findings,
  }
  pieces.finish(claim, piece)
  say(`${piece.sent} operations in ${piece.seconds} s, ${piece.findings.length} findings`)
  return piece
}
