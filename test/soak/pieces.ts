import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

/** A run on a database of its own, whose data was audited as a whole. */
export type Piece = {
  readonly number: number
  readonly seed: number
  /** The hash of what was tested. */
  readonly bundle: string
  readonly endedAt: string
  readonly clients: number
  readonly seconds: number
  readonly sent: number
  readonly acknowledged: number
  readonly kills: number
  readonly cuts: number
  readonly repeated: number
  readonly audits: number
  readonly bookings: number
  readonly entries: number
  readonly events: number
  readonly told: number
  readonly deliveries: number
  readonly moved: number
  readonly payments: number
  readonly written: number
  readonly texts: number
  readonly drainSeconds: number
  readonly bytes: number
  readonly counts: Readonly<Record<string, number>>
  readonly findings: readonly string[]
}

/** What a run works on until it is finished; no other run does. */
export type Claim = {
  readonly number: number
  readonly seed: number
  readonly operations: number
  /** For the database of the piece. */
  readonly directory: string
}

type Claimed = { readonly number: number; readonly pid: number; readonly operations: number }

const CLAIM = /^(\d+)\.(\d+)\.claim$/
const nameOf = (number: number) => String(number).padStart(4, '0')

/**
 * The pieces in a folder. Several runs may share it, at the same time or one after the other: each claims a piece, and a piece
 * whose run ended before its report is claimed again, with the same seed.
 */
export class Pieces {
  readonly #folder: string
  /** All seeds follow from it. */
  readonly seed: number

  constructor(folder: string, seed: number) {
    mkdirSync(folder, { recursive: true })
    this.#folder = folder
    const file = join(folder, 'seed')
    try {
      writeFileSync(file, String(seed), { flag: 'wx' })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    this.seed = Number(readFileSync(file, 'utf8'))
  }

  finished(): Piece[] {
    return readdirSync(this.#folder)
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => JSON.parse(readFileSync(join(this.#folder, name), 'utf8')))
  }

  /** The next piece of at most so many operations, null if what is finished or at work adds up to `total`. */
  claim(total: number, most: number): Claim | null {
    for (;;) {
      const finished = this.finished()
      const done = new Set(finished.map(({ number }) => number))
      const claims = this.#claims().filter(({ number }) => !done.has(number))
      const atWork = claims.filter(({ pid }) => isAlive(pid))
      const sum = finished.reduce((all, { sent }) => all + sent, 0)
      const left = atWork.reduce((all, { operations }) => all - operations, total - sum)
      if (left <= 0) return null
      const busy = new Set(atWork.map(({ number }) => number))
      const dead = claims.find(({ number }) => !busy.has(number))
      const highest = Math.max(0, ...done, ...claims.map(({ number }) => number))
      const number = dead?.number ?? highest + 1
      const operations = dead?.operations ?? Math.min(most, left)
      if (!this.#take({ number, pid: process.pid, operations })) continue
      const directory = join(this.#folder, nameOf(number))
      rmSync(directory, { recursive: true, force: true })
      mkdirSync(directory)
      return { number, seed: this.seed + 2 * number, operations, directory }
    }
  }

  /** Keeps the report. The database is kept too if something was found in it. */
  finish({ directory }: Claim, piece: Piece): void {
    const file = join(this.#folder, `${nameOf(piece.number)}.json`)
    writeFileSync(`${file}.new`, `${JSON.stringify(piece, null, 1)}\n`)
    renameSync(`${file}.new`, file)
    for (const { name } of this.#claimFiles(piece.number)) rmSync(join(this.#folder, name))
    if (piece.findings.length === 0) rmSync(directory, { recursive: true, force: true })
  }

  #claimFiles(number?: number) {
    return readdirSync(this.#folder).flatMap((name) => {
      const [, of, attempt] = CLAIM.exec(name) ?? []
      if (of === undefined || (number !== undefined && Number(of) !== number)) return []
      return [{ name, number: Number(of), attempt: Number(attempt) }]
    })
  }

  /** The latest claim of each piece. */
  #claims(): Claimed[] {
    const byNumber = Map.groupBy(this.#claimFiles(), ({ number }) => number)
    return [...byNumber.values()].flatMap((files) => {
      const latest = files.reduce((one, other) => (other.attempt > one.attempt ? other : one))
      const file = join(this.#folder, latest.name)
      // It is gone if another run has just finished the piece.
      return existsSync(file) ? [JSON.parse(readFileSync(file, 'utf8'))] : []
    })
  }

  /** Whether this run has it now: a file appears under its name with what is in it, or not at all. */
  #take(claimed: Claimed): boolean {
    const attempts = this.#claimFiles(claimed.number).map(({ attempt }) => attempt)
    const name = `${nameOf(claimed.number)}.${Math.max(0, ...attempts) + 1}.claim`
    const written = join(this.#folder, `${process.pid}.new`)
    writeFileSync(written, JSON.stringify(claimed))
    try {
      linkSync(written, join(this.#folder, name))
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
      throw error
    } finally {
      rmSync(written)
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
