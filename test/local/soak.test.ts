import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Claim, type Piece, Pieces } from '../soak/pieces.ts'
import { linesOf } from '../soak/report.ts'

const FIRST = 7
/** No process has it. */
const DEAD = 2 ** 30

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pieces-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function report({ number, seed }: Claim, sent: number, findings: readonly string[] = []): Piece {
  return {
    ...{
      number,
      seed,
      sent,
      findings,
      bundle: 'abc',
      endedAt: '',
      clients: 16,
      seconds: 10,
      acknowledged: sent,
    },
    ...{
      kills: 1,
      cuts: 2,
      repeated: 1,
      audits: 2,
      bookings: 3,
      entries: 4,
      events: 5,
      told: 5,
      deliveries: 6,
    },
    ...{
      moved: 0,
      payments: 7,
      written: 8,
      texts: 9,
      drainSeconds: 1,
      bytes: 1_000_000,
      counts: { 'book 201': 3, 'book 409': 1 },
    },
  }
}

describe('the pieces of a soak', () => {
  it('add up over several runs, each with a seed of its own', () => {
    const first = new Pieces(folder, FIRST)
    const one = first.claim(250, 100)!
    expect(one).toMatchObject({ number: 1, seed: FIRST + 2, operations: 100 })
    first.finish(one, report(one, 100))
    const later = new Pieces(folder, FIRST + 1_000)
    expect(later.seed).toBe(FIRST)
    const two = later.claim(250, 100)!
    expect(two).toMatchObject({ number: 2, seed: FIRST + 4, operations: 100 })
    later.finish(two, report(two, 90))
    const three = later.claim(250, 100)!
    expect(three).toMatchObject({ number: 3, operations: 60 })
    later.finish(three, report(three, 60))
    expect(later.claim(250, 100)).toBeNull()
    expect(linesOf(later.finished()).join('\n')).toContain('250 operations in 3 pieces took 30 s, 8 a second')
    expect(linesOf(later.finished())).toContain('| book | 12 | 201: 9, 409: 3 |')
  })

  it('are shared by runs at the same time', () => {
    const pieces = [new Pieces(folder, FIRST), new Pieces(folder, FIRST)]
    const claims = pieces.map((each) => each.claim(250, 100)!)
    expect(claims.map(({ number }) => number)).toEqual([1, 2])
    expect(pieces[0]!.claim(250, 100)).toMatchObject({ number: 3, operations: 50 })
    expect(pieces[1]!.claim(250, 100)).toBeNull()
  })

  it('are run again with the same seed if their run ended before their report', () => {
    writeFileSync(join(folder, '0001.1.claim'), JSON.stringify({ number: 1, pid: DEAD, operations: 80 }))
    const pieces = new Pieces(folder, FIRST)
    const again = pieces.claim(250, 100)!
    expect(again).toMatchObject({ number: 1, seed: FIRST + 2, operations: 80 })
    expect(pieces.claim(250, 100)).toMatchObject({ number: 2 })
    pieces.finish(again, report(again, 80))
    expect(pieces.finished().map(({ number }) => number)).toEqual([1])
  })

  it('keep a database in which something was found', () => {
    const pieces = new Pieces(folder, FIRST)
    for (const [findings, isKept] of [
      [['lost: 1'], true],
      [[], false],
    ] as const) {
      const claim = pieces.claim(250, 100)!
      pieces.finish(claim, report(claim, 100, findings))
      expect(existsSync(claim.directory)).toBe(isKept)
    }
    expect(linesOf(pieces.finished()).join('\n')).toContain('FINDING in piece 1: lost: 1')
  })
})
