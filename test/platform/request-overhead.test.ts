import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import worker from '../../src/index.ts'
import { FIRES_EVERY_MS, Watch } from '../../src/platform/db/watch.ts'
import { freshAddress } from '../support/app.ts'
import { createEventType, createOrganization, dateOf, dayFromNow } from '../support/factories.ts'

afterEach(() => {
  // Restored after the timers, a mock of a faked timer would leave the fake behind for the next files.
  vi.restoreAllMocks()
  vi.useRealTimers()
})

it('takes one timer and describes no object anew for a month in which nothing changed', async () => {
  const { liveKey } = await createOrganization()
  const { id } = await createEventType(liveKey)
  const query = `event_type_id=${id}&start=${dateOf(dayFromNow(1))}&end=${dateOf(dayFromNow(30))}&timezone=UTC`
  const month = async () => {
    const headers = { 'CF-Connecting-IP': freshAddress() }
    const request = new Request(`https://holdfast.test/v1/availability?${query}`, { headers })
    const timers = vi.spyOn(globalThis, 'setTimeout')
    const described = vi.spyOn(Object, 'getOwnPropertyDescriptors')
    const response = await worker.fetch(request as Parameters<typeof worker.fetch>[0], env)
    const counts = [response.status, timers.mock.calls.length, described.mock.calls.length]
    vi.restoreAllMocks()
    await response.text()
    return counts
  }
  await month()
  await month()
  expect(await month()).toEqual([200, 1, 0])
})

describe('a watch', () => {
  const gaveUp = (watch: Watch, ms: number) => {
    const giveUp = vi.fn()
    return { giveUp, end: watch.after(ms, giveUp) }
  }

  it('ends each wait at its own time, and none that is over', () => {
    vi.useFakeTimers()
    const watch = new Watch()
    const [long, short, ended] = [9_000, 2_000, 3_000].map((ms) => gaveUp(watch, ms))
    ended!.end()
    const calls = () => [long, short, ended].map((each) => each!.giveUp.mock.calls.length)
    vi.advanceTimersByTime(1_999)
    expect(calls()).toEqual([0, 0, 0])
    vi.advanceTimersByTime(1)
    expect(calls()).toEqual([0, 1, 0])
    vi.advanceTimersByTime(6_999)
    expect(calls()).toEqual([0, 1, 0])
    vi.advanceTimersByTime(1)
    expect(calls()).toEqual([1, 1, 0])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('needs no further timer for waits that begin later, and leaves none behind', () => {
    vi.useFakeTimers()
    const timers = vi.spyOn(globalThis, 'setTimeout')
    const watch = new Watch()
    const request = gaveUp(watch, FIRES_EVERY_MS + 2_500)
    for (let trip = 0; trip < 5; trip++) {
      vi.advanceTimersByTime(100)
      gaveUp(watch, FIRES_EVERY_MS).end()
    }
    request.end()
    expect([timers.mock.calls.length, vi.getTimerCount()]).toEqual([1, 0])
  })
})
