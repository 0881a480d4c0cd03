import { expect, it } from 'vitest'
import { MOST_BYTES } from '../../src/booking/slots/find-open-slots.ts'
import { type Found, SlotMemory } from '../../src/booking/slots/slot-memory.ts'
import { chance } from '../support/chance.ts'

const EVENT_TYPES = 1_000
const HOSTS = 500
/** A month of half hours. */
const STARTS = 1_488
const QUESTIONS_A_SECOND = 50
const NOW = 0

/** As the triggers write it. */
const markOf = (host: number) => String(host).padStart(8, '0')

function foundOf(eventType: number, shared: number): Found {
  const eventTypeId = String(eventType)
  return {
    organizationId: 'studio',
    version: { own: 1, shared },
    concerns: new Set([markOf(eventType % HOSTS)]),
    trueUntil: Number.POSITIVE_INFINITY,
    noticeMs: 0,
    sandboxNow: null,
    earliest: NOW,
    slots: {
      eventTypeId,
      durationMs: 1,
      starts: Array.from({ length: STARTS }, (_, at) => NOW + at * 1_800_000),
      fullStarts: null,
      seats: null,
      isCapped: false,
      isClosed: false,
      isMonthFull: false,
      nextAvailable: null,
    },
  }
}

it('answers for a thousand event types from memory while one of five hundred calendars changes each second', async () => {
  const memory = new SlotMemory(MOST_BYTES)
  const { below } = chance(1)
  let [shared, changes, loads] = [0, '', 0]
  const ask = (eventType: number) =>
    memory.find(String(eventType), {
      now: NOW,
      askVersion: async () => ({ own: 1, shared, changes: `${shared}/${changes}` }),
      load: async () => {
        loads += 1
        return foundOf(eventType, shared)
      },
    })
  for (let eventType = 0; eventType < EVENT_TYPES; eventType++) await ask(eventType)
  expect(loads).toBe(EVENT_TYPES)
  loads = 0
  const seconds = 120
  for (let second = 0; second < seconds; second++) {
    shared += 1
    // A hundred changes are listed.
    changes = `${markOf(below(HOSTS))}--------${changes}`.slice(0, 1_600)
    for (let question = 0; question < QUESTIONS_A_SECOND; question++) await ask(below(EVENT_TYPES))
  }
  expect(loads / (seconds * QUESTIONS_A_SECOND)).toBeLessThan(0.05)
  expect(loads).toBeGreaterThan(0)
})
