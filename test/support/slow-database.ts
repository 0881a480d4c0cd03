import { onTestFinished, vi } from 'vitest'
import { databaseThrough } from './database-through.ts'

/** Whoever looks at the clock does so more often than it goes on. */
const LOOK_MS = 2
const TICK_MS = 8
/** So much of its time passes with each tick. */
const STEP_MS = 250
/** Pauses that are shorter are made in earnest. */
const SHORTEST_MS = 1_000

/**
 * The same database, which takes `ms` for each round trip of a time that passes only while somebody waits for it. What is not
 * waited for any more is carried out nevertheless.
 */
export function slowDatabase(ms: number) {
  const { setTimeout, clearTimeout } = globalThis
  const base = Date.now()
  let passed = 0
  let waiting = 0
  let isSlow = true
  let asked = 0
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => base + passed)
  const stopped = new Set<unknown>()
  const timers = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((
    act: (...given: unknown[]) => void,
    pause = 0,
    ...given: unknown[]
  ) => {
    if (pause < SHORTEST_MS) return setTimeout(act, pause, ...given)
    const due = passed + pause
    // It looks again and again by itself, for nobody may act on behalf of another request.
    const look = () => {
      if (stopped.has(timer)) return
      if (passed >= due) act(...given)
      else setTimeout(look, LOOK_MS)
    }
    const timer: unknown = setTimeout(look, 0)
    return timer
  }) as never)
  const ends = vi.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
    stopped.add(timer)
    clearTimeout(timer as never)
  })
  const ticker = setInterval(() => {
    if (waiting > 0) passed += STEP_MS
  }, TICK_MS)
  onTestFinished(() => {
    clearInterval(ticker)
    for (const spy of [clock, timers, ends]) spy.mockRestore()
  })

  async function pass<T>(ask: () => Promise<T>): Promise<T> {
    asked += 1
    waiting += 1
    try {
      const due = passed + ms
      while (isSlow && passed < due) await new Promise((go) => setTimeout(go, LOOK_MS))
      return await ask()
    } finally {
      waiting -= 1
    }
  }

  return {
    DB: databaseThrough(pass),
    /** How long `act` takes of its time. */
    time: async <T>(act: () => Promise<T>): Promise<{ readonly answer: T; readonly tookMs: number }> => {
      const began = passed
      const answer = await act()
      return { answer, tookMs: passed - began }
    },
    /** How many round trips were begun. */
    asked: () => asked,
    /** It answers at once again, and all that was asked before is carried out. */
    hurry: async () => {
      isSlow = false
      await vi.waitFor(() => {
        if (waiting > 0) throw new Error('not yet')
      })
    },
  }
}
