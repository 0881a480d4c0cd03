import { describe, expect, it } from 'vitest'
import {
  CostCount,
  endCall,
  FREE_CALLS,
  MOST_ROWS,
  type Spent,
} from '../../src/platform/limits/cost-count.ts'

const MINUTE = 60_000
const NOON = 1_800_000_000_000 - (1_800_000_000_000 % MINUTE)

/** Makes calls one after another that read these rows; false is a refusal. */
function make(count: CostCount, calls: number, rows: number, network = 'a', now = NOON): boolean[] {
  return Array.from({ length: calls }, () => {
    const begun = count.begin(network, 'call', now)
    if ('rows' in begun) endCall(begun, rows)
    return 'rows' in begun
  })
}

describe('the rows that the calls of a network read', () => {
  it('end with the limit, and the last call may pass it', () => {
    const told = make(new CostCount(), 25, 1_500)
    expect(told.filter(Boolean)).toHaveLength(Math.ceil(MOST_ROWS / 1_500))
    expect(told.lastIndexOf(true)).toBe(told.indexOf(false) - 1)
  })

  it('are counted for each network, and begin again with the next clock minute', () => {
    const count = new CostCount()
    make(count, FREE_CALLS.call, MOST_ROWS)
    expect(count.begin('a', 'call', NOON + 15_000)).toEqual({ waitMs: MINUTE - 15_000 })
    expect(make(count, 1, 0, 'b')).toEqual([true])
    expect(make(count, 1, 0, 'a', NOON + MINUTE)).toEqual([true])
  })

  it('refuse none of the first calls, which are counted by kind', () => {
    const count = new CostCount()
    expect(make(count, FREE_CALLS.call + 1, MOST_ROWS)).toEqual([
      ...Array.from({ length: FREE_CALLS.call }, () => true),
      false,
    ])
    expect(count.begin('a', 'page', NOON)).toHaveProperty('rows')
  })

  it('let 40 calls run at a time, and the next one after a moment', () => {
    const count = new CostCount()
    make(count, FREE_CALLS.call, 0)
    const begun = Array.from({ length: 50 }, () => count.begin('a', 'call', NOON))
    const running = begun.filter((one): one is Spent => 'rows' in one)
    expect(running).toHaveLength(40)
    expect(begun[40]).toEqual({ waitMs: 0 })
    endCall(running[0]!, 0)
    expect(count.begin('a', 'call', NOON)).toHaveProperty('rows')
  })

  it('may be used up to the last row, if no other call runs', () => {
    const count = new CostCount()
    make(count, FREE_CALLS.call, 0)
    expect(make(count, 3, MOST_ROWS - 1)).toEqual([true, true, false])
  })

  it('are reported in units of a thousand, each once', () => {
    const count = new CostCount()
    const units = [999, 1, 2_500, 499, 1].map((rows) =>
      endCall(count.begin('a', 'call', NOON) as Spent, rows),
    )
    expect(units).toEqual([0, 1, 2, 0, 1])
  })

  it('are limited at once if all isolates together are over the limit', () => {
    const count = new CostCount()
    make(count, FREE_CALLS.call, 0)
    const spent = count.begin('a', 'call', NOON) as Spent
    spent.isOver = true
    expect(count.begin('a', 'call', NOON)).toHaveProperty('waitMs')
  })

  it('are counted for a limited number of networks', () => {
    const count = new CostCount()
    for (let at = 0; at < 10_000; at++) count.begin(String(at), 'call', NOON)
    expect(make(count, 2 * FREE_CALLS.call, MOST_ROWS, 'late')).not.toContain(false)
    expect(make(count, 2 * FREE_CALLS.call, MOST_ROWS, '0')).toContain(false)
  })
})
