import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { importFound } from '../../src/operations/imports/import-found.ts'
import type { TenantCaller } from '../../src/platform/auth/caller.ts'
import type { Context } from '../../src/platform/http/context.ts'
import { createEventType } from '../support/factories.ts'
import { openForeign } from '../support/foreign.ts'

describe('a booking whose people are of an odd form', () => {
  it('is left out with the reason', async () => {
    const booking = {
      type: 'booking' as const,
      ...{ id: 'odd', what: 'Intro call', eventTypeId: '1', hosts: [], isShared: false },
      parties: async () => (null as unknown as []).map((one) => one) as never,
    }
    const { organization } = await openForeign('calcom')
    const { id } = await createEventType(organization.liveKey)
    await env.DB.prepare('INSERT INTO imported_from VALUES (?, ?, ?, 1)')
      .bind(organization.id, 'calcom/event_type/1', id)
      .run()
    const caller = {
      kind: 'service' as const,
      organizationId: organization.id,
      isTest: false,
      onBehalfOf: null,
    }
    const ctx = { env, caller, isDry: false, now: Date.now() } as unknown as Context<TenantCaller>
    const progress = { made: { schedules: 0, event_types: 0, bookings: 0 }, leftOut: [], wouldMake: [] }
    const source = {
      name: 'calcom' as const,
      check: async () => {},
      read: async function* () {
        yield booking
      },
    }
    for await (const _ of importFound(() => ctx, source, progress));
    expect(progress.leftOut).toEqual([{ what: 'Intro call', why: 'unreadable' }])
  })
})

describe('what an import leaves out', () => {
  it('fits into a row, however much it is', async () => {
    const { organization } = await openForeign('calcom')
    const caller = {
      kind: 'service' as const,
      organizationId: organization.id,
      isTest: false,
      onBehalfOf: null,
    }
    const ctx = { env, caller, isDry: false, now: Date.now() } as unknown as Context<TenantCaller>
    const progress = { made: { schedules: 0, event_types: 0, bookings: 0 }, leftOut: [], wouldMake: [] }
    const read = async function* () {
      for (let at = 0; at < 5000; at++) {
        yield { type: 'left_out' as const, lost: { what: '予約'.repeat(100), why: 'no_event_type' } }
      }
    }
    const source = { name: 'calcom' as const, check: async () => {}, read }
    for await (const _ of importFound(() => ctx, source, progress));
    const bytes = new TextEncoder().encode(JSON.stringify(progress.leftOut)).byteLength
    expect(bytes).toBeLessThan(1_500_000)
    expect(progress.leftOut.length).toBeGreaterThan(2000)
  })
})
