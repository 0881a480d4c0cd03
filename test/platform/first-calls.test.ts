import { describe, expect, it } from 'vitest'
import { FirstCalls } from '../../src/platform/limits/first-calls.ts'

const MINUTE = 60_000
const NOON = 1_800_000_000_000 - (1_800_000_000_000 % MINUTE)

describe('the first calls of a minute', () => {
  it('are counted for each caller', () => {
    const first = new FirstCalls(2, 10)
    const told = ['a', 'a', 'b', 'a', 'b', 'b'].map((caller) => first.take(caller, NOON))
    expect(told).toEqual([true, true, true, false, true, false])
  })

  it('begin again with the next clock minute, and at once if the clock is set back', () => {
    const first = new FirstCalls(1, 10)
    const told = [NOON, NOON + MINUTE - 1, NOON + MINUTE, NOON + MINUTE, NOON].map((now) =>
      first.take('a', now),
    )
    expect(told).toEqual([true, false, true, false, true])
  })

  it('are stored for a limited number of callers, and for no later ones', () => {
    const first = new FirstCalls(2, 2)
    const told = ['a', 'b', 'c', 'a', 'c', 'b'].map((caller) => first.take(caller, NOON))
    expect(told).toEqual([true, true, false, true, false, true])
    expect(first.take('c', NOON + MINUTE)).toBe(true)
  })
})
