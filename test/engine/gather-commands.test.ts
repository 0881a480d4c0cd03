import { env } from 'cloudflare:workers'
import { afterEach, expect, it, vi } from 'vitest'
import { loadForStart } from '../../src/engine/schedule/load-for-start.ts'
import { commitTogether } from '../../src/engine/turn/commit-together.ts'
import { ScheduleMemory } from '../../src/engine/turn/schedule-memory.ts'
import type { Waiting } from '../../src/engine/turn/waiting.ts'
import { openDb } from '../../src/platform/db/client.ts'
import { realNow } from '../../src/platform/limits/clock.ts'
import { createEventType, createOrganization, dayFromNow } from '../support/factories.ts'

afterEach(() => void vi.restoreAllMocks())

async function knownSchedule(): Promise<ScheduleMemory> {
  const { liveKey } = await createOrganization()
  const { id } = await createEventType(liveKey)
  const asked = { start: dayFromNow(2) }
  const { schedule } = await loadForStart(openDb(env, 'decide'), id, asked, realNow(), { known: null })
  const memory = new ScheduleMemory()
  memory.remember(schedule, memory.tick())
  return memory
}

/** Commands without statements, each of which takes so long to decide. */
function commandsThatTake(durations: readonly number[], finished: number[]): Waiting[] {
  let passed = 0
  const began = Date.now()
  vi.spyOn(Date, 'now').mockImplementation(() => began + passed)
  return durations.map((ms, at) => ({
    env,
    runAlone: async () => {},
    fail: (error) => {
      throw error
    },
    decideOn: async () => {
      passed += ms
      const plan = { status: 201 as const, body: null, statements: [], apply: <S>(schedule: S) => schedule }
      return { plan, statements: [], finish: () => void finished.push(at) }
    },
  }))
}

it.each([
  ['together if they are fast', [100, 100, 100, 100, 100], 5],
  ['together with those that waited for the calendars of the first', [3_000, 0, 0, 0, 0], 5],
  ['without those behind a slow one', [0, 3_000, 0, 3_000, 0], 2],
  ['without those that would come later than half a second', [0, 300, 300, 300, 300], 3],
])('commands are committed %s', async (_, durations, together) => {
  const memory = await knownSchedule()
  const finished: number[] = []
  const queue = commandsThatTake(durations, finished)
  expect(await commitTogether(memory, queue)).toBe(0)
  expect(finished).toEqual(durations.slice(0, together).map((_ms, at) => at))
  expect(queue).toHaveLength(durations.length - together)
})
