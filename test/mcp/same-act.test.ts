import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { ADA, bookedStarts, connectAgent, NEXT, START, sandboxFor } from '../support/agent.ts'
import { call } from '../support/app.ts'

const BOB = { invitee_name: 'Bob', invitee_email: 'bob@example.com' }
const UNGUESSABLE = 'cbd4f3c6-7d0a-4f6d'

describe('an anonymous hold', () => {
  it('is not returned for the same call without a key, and the refusal says when it ends', async () => {
    const { id } = await sandboxFor()
    const agent = await connectAgent()
    const asked = { event_type_id: id, start_time: START, timezone: 'Europe/Berlin' }
    const { body: held } = await agent.call('hold_time', asked)
    const { isError, body } = await agent.call('hold_time', asked)
    expect([isError, body.error.code]).toEqual([true, 'conflict'])
    expect(body.error.details).toMatchObject({
      held_until: held.expires_at,
      local_held_until: held.local_expires,
      alternatives: expect.arrayContaining([NEXT]),
    })
    expect(body.error.suggested_next_action).toContain('idempotency_key')
    for (const secret of [held.id, held.token]) expect(JSON.stringify(body)).not.toContain(secret)
  })

  it('is the same one with a key that cannot be guessed', async () => {
    const { id } = await sandboxFor()
    const agent = await connectAgent()
    const asked = { event_type_id: id, start_time: START, idempotency_key: UNGUESSABLE }
    const { body: held } = await agent.call('hold_time', asked)
    const { body: again } = await agent.call('hold_time', asked)
    expect(again).toMatchObject({ id: held.id, token: held.token, status: 'held', replayed: true })
  })

  it('is not given to a caller with the same short key, which is ignored and named', async () => {
    const { id } = await sandboxFor()
    const [agent, other] = [await connectAgent(), await connectAgent()]
    const asked = { event_type_id: id, start_time: START, idempotency_key: 'fifteen letters' }
    const { body: held } = await agent.call('hold_time', asked)
    expect(held.suggested_next_action).toMatch(/idempotency_key .*ignored.* 16 /)
    const { body } = await other.call('hold_time', asked)
    expect(body.error.code).toBe('conflict')
    expect(body.error.suggested_next_action).toMatch(/idempotency_key .*ignored.* 16 /)
    const { results } = await env.DB.prepare('SELECT key FROM idempotency_keys WHERE scope = ?')
      .bind(`public/${id}`)
      .all()
    expect(results).toEqual([])
  })

  it('rejects a key that is not text or is too long', async () => {
    const { id } = await sandboxFor()
    const agent = await connectAgent()
    for (const idempotency_key of [7, {}, 'x'.repeat(256)]) {
      const { body } = await agent.call('hold_time', {
        event_type_id: id,
        start_time: START,
        idempotency_key,
      })
      expect(Object.keys(body.error.details)).toEqual(['idempotency_key'])
    }
  })
})

describe('the hold of an agent with an API key', () => {
  it('is the same one when the same call is made again, with a key of any length or none', async () => {
    const { key, id } = await sandboxFor()
    const agent = await connectAgent(key)
    for (const [start_time, more] of [
      [START, {}],
      [NEXT, { idempotency_key: 'one' }],
    ] as const) {
      const asked = { event_type_id: id, start_time, ...more }
      const { body: held } = await agent.call('hold_time', asked)
      const { body: again } = await agent.call('hold_time', asked)
      expect(again).toMatchObject({ id: held.id, token: held.token, replayed: true })
      expect(again.suggested_next_action).not.toContain('ignored')
    }
  })
})

describe('the same call without an idempotency_key', () => {
  it('is the same act for ten minutes', async () => {
    const { key, id } = await sandboxFor({ max_attendees: 5 })
    const [agent, owner] = [await connectAgent(), await connectAgent(key)]
    await agent.call('book', { event_type_id: id, start_time: START, ...ADA })
    await owner.call('book', { event_type_id: id, start_time: START, ...BOB })
    await agent.call('book', { event_type_id: id, start_time: NEXT, ...ADA, idempotency_key: 'of my own' })
    const { results } = await env.DB.prepare(
      'SELECT key, expires_at FROM idempotency_keys WHERE scope IN (?, (SELECT organization_id || ? FROM event_types WHERE id = ?))',
    )
      .bind(`public/${id}`, '/test', id)
      .all<{ key: string; expires_at: number }>()
    const minutes = results.map(({ key: name, expires_at }) => [
      name.slice(0, name.indexOf('/')),
      Math.round((expires_at - Date.now()) / 60_000),
    ])
    expect(minutes.sort()).toEqual([
      ['mcp', 1440],
      ['mcp-same', 10],
      ['mcp-same', 10],
    ])
  })
})

describe('a hold that was confirmed', () => {
  it('is revealed to its invitee alone, in the API, in a dry run and with tools', async () => {
    const { key, id } = await sandboxFor()
    const { body: hold } = await call('POST', '/v1/holds', { body: { event_type_id: id, start_time: START } })
    const path = `/v1/holds/${hold.id}/confirm?token=${hold.token}`
    const invitee = { ...ADA, invitee_email: 'ada+work@example.com' }
    const { body: booked } = await call('POST', path, { body: invitee })
    for (const invitee_email of ['bob@example.com', 'ada@example.com']) {
      const agent = await connectAgent()
      const answers = [
        (await call('POST', path, { body: { ...BOB, invitee_email } })).body,
        (await call('POST', `${path}&dry_run=true`, { body: { ...BOB, invitee_email } })).body,
        (await call('POST', path, { body: { ...BOB, invitee_email, if_still_free: true } })).body,
        (await call('POST', path, { key, body: { ...BOB, invitee_email } })).body,
        (await agent.call('confirm_hold', { id: hold.id, token: hold.token, ...BOB, invitee_email })).body,
        (
          await agent.call('confirm_hold', {
            id: hold.id,
            token: hold.token,
            ...BOB,
            invitee_email,
            dry_run: true,
          })
        ).body,
      ]
      for (const body of answers) {
        expect(body.error).toMatchObject({ code: 'conflict', details: { code: 'hold_of_another' } })
        for (const secret of [invitee.invitee_email, booked.id, booked.cancel_token]) {
          expect(JSON.stringify(body)).not.toContain(secret)
        }
      }
    }
    const shouted = { ...invitee, invitee_email: 'ADA+Work@example.com' }
    const again = await call('POST', path, { body: shouted })
    expect([again.status, again.body.id, again.body.cancel_token]).toEqual([
      200,
      booked.id,
      booked.cancel_token,
    ])
    expect((await call('POST', `${path}&dry_run=true`, { body: shouted })).status).toBe(200)
    expect(await bookedStarts(key, id)).toEqual([START])
  })
})
