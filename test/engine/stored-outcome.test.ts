import { env as bindings } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { refused, unchanged } from '../../src/engine/turn/outcome.ts'
import { ScheduleMemory } from '../../src/engine/turn/schedule-memory.ts'
import { storeOutcome } from '../../src/engine/turn/stored-outcome.ts'
import { Turns } from '../../src/engine/turn/turns.ts'
import type { Verb } from '../../src/engine/turn/verb.ts'
import type { Workplace } from '../../src/engine/turn/workplace.ts'
import type { Env } from '../../src/env.ts'
import { because } from '../../src/platform/http/errors.ts'
import { storeResponse } from '../../src/platform/http/idempotency.ts'
import { realNow } from '../../src/platform/limits/clock.ts'

const env = bindings as unknown as Env
const claimOf = (key: string, requestHash = 'this request') => ({
  scope: 'public/somebody',
  key,
  requestHash,
})
const TAKEN = because('not_open')

describe('the end of a command', () => {
  it('is kept under its Idempotency-Key, and says so', async () => {
    const outcome = await storeOutcome(env, claimOf('first'), refused(TAKEN))
    expect(outcome).toEqual({ kind: 'refused', refusal: TAKEN, isKept: true })
  })

  it('is the one that another run of the same request kept first', async () => {
    const claim = claimOf('again')
    await storeResponse(env, claim, { status: 201, body: { id: 'made' } })
    const first = { kind: 'replayed', answer: { status: 201, body: { id: 'made' } } }
    expect(await storeOutcome(env, claim, refused(TAKEN))).toEqual(first)
    expect(await storeOutcome(env, claim, unchanged({ id: 'mine' }))).toEqual(first)
  })

  it('returns the current row if the first run changed nothing either', async () => {
    const claim = claimOf('unchanged')
    await storeOutcome(env, claim, unchanged({ id: 'mine' }))
    const again = { kind: 'replayed', answer: { status: 200, body: { id: 'mine' } } }
    expect(await storeOutcome(env, claim, unchanged({ id: 'mine' }))).toEqual(again)
  })

  it('does not delay a second request with the same key', async () => {
    const turns = new Turns({ env, memory: new ScheduleMemory() } as Workplace)
    const verb: Verb<[], { id: string }> = {
      eventTypeId: 'any',
      claim: claimOf('twice'),
      now: realNow(),
      asks: () => [],
      decide: () => ({ unchanged: { id: 'mine' } }),
    }
    const [first, beside] = await Promise.all([1, 2].map(() => turns.run(verb, { name: 'verb' })))
    expect(first).toEqual({ ...unchanged({ id: 'mine' }), organizationId: null, rowsRead: 0 })
    expect(beside).toMatchObject({ kind: 'refused', refusal: { reason: 'still_running' } })
    expect((await turns.run(verb, { name: 'verb' })).kind).toBe('replayed')
  })

  it('is a conflict if another request used the key first', async () => {
    await storeResponse(env, claimOf('shared', 'another request'), { status: 201, body: { id: 'made' } })
    const outcome = await storeOutcome(env, claimOf('shared'), refused(TAKEN))
    expect(outcome).toMatchObject({ kind: 'refused', refusal: { reason: 'other_request' } })
  })
})
