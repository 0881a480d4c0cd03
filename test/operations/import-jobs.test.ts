import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { importFound, type Progress } from '../../src/operations/imports/import-found.ts'
import type { Found, Source } from '../../src/operations/imports/source.ts'
import { shardOf } from '../../src/platform/db/ids.ts'
import { ended, importFrom, importWhole, listed, openForeign, secretOf } from '../support/foreign.ts'
import { bindShards, databaseOf, organizationIn } from '../support/shards.ts'

const STUDIO = ['ada.berger@example.com', 'ben.okafor@example.com', 'cem.yilmaz@example.com']
const MOST = 5_000

/** An account with one event type and bookings of it, which are all too long. */
function sourceOf(bookings: number, seats = 1): Source {
  async function* read(): AsyncGenerator<Found> {
    const fields = { title: 'Talk', slug: 'talk', duration_minutes: 30 }
    yield { type: 'event_type', id: 'talk', title: 'Talk', hosts: [], fields, leftOut: [] }
    for (let at = 0; at < bookings; at++) {
      const invitee = { name: 'Ada', email: 'ada@example.net', timezone: 'UTC', locale: null, phone: null }
      const nothing = { notes: null, attendees: [], guests: [], answers: [], place: null, meetingUrl: null }
      const times = { startTime: Date.now(), durationMinutes: 481, isPending: false }
      const party = { ...invitee, ...nothing, ...times }
      yield {
        type: 'booking',
        id: `talk-${at}`,
        what: `Talk ${at}`,
        eventTypeId: 'talk',
        hosts: [],
        isShared: seats > 1,
        parties: async () => ({
          parties: Array.from({ length: seats }, (_, seat) => ({
            id: seats > 1 ? String(seat) : null,
            booking: party,
          })),
        }),
      }
    }
  }
  return { name: 'calendly', check: async () => {}, read }
}

async function runWith(source: Source, isDry = false) {
  const { organization } = await openForeign('calendly')
  const progress: Progress = {
    made: { schedules: 0, event_types: 0, bookings: 0 },
    leftOut: [],
    wouldMake: [],
  }
  const { id: organizationId, ownerUserId } = organization
  const caller = { kind: 'service', organizationId, isTest: false, onBehalfOf: null, ownerUserId }
  const request = new Request(env.PUBLIC_URL)
  const ctx = { env, request, requestId: 'r', ipAddress: null, caller, now: Date.now(), claim: null, isDry }
  for await (const _ of importFound(() => ctx as never, source, progress));
  const further = progress.leftOut.filter(({ part }) => part === 'further')
  return { ...progress, further }
}

describe('an import of more bookings than a job makes', () => {
  it('ends after 5,000 and names that there are more, and does not if there are not', async () => {
    const whole = await runWith(sourceOf(MOST))
    expect([whole.leftOut.length, whole.further]).toEqual([MOST, []])
    const more = await runWith(sourceOf(MOST + 1))
    expect(more.leftOut.filter(({ why }) => why === 'duration').length).toBe(MOST)
    expect(more.further).toEqual([{ what: '', part: 'further', why: 'most' }])
  })

  it('counts each seat of a group, also those of the last one', async () => {
    const whole = await runWith(sourceOf(MOST / 100, 100))
    expect(whole.further).toEqual([])
    const { further } = await runWith(sourceOf(MOST / 99 + 1, 99))
    expect(further.length).toBe(1)
  })

  it('lists no more in a dry run either', async () => {
    const dry = await runWith(sourceOf(MOST + 1), true)
    expect(dry.wouldMake.filter(({ type }) => type === 'booking').length).toBe(MOST)
    expect(dry.further.length).toBe(1)
  })
})

describe('an import that is requested twice at once', () => {
  it.each(['calendly', 'calcom'] as const)('is one job, from %s', async (service) => {
    const { organization, world } = await openForeign(service, { emails: STUDIO })
    const asked = Array.from({ length: 6 }, () => importFrom(service, organization))
    const answers = await Promise.all(asked)
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202))
    const ids = new Set(answers.map(({ body }) => body.id))
    expect(ids.size).toBe(1)
    const job = await ended(organization, [...ids][0])
    expect(job.status).toBe('done')
    expect((await listed(organization, '/v1/bookings?limit=100')).length).toBe(job.made.bookings)
    const jobs = 'SELECT count(*) AS n FROM import_jobs WHERE organization_id = ?'
    expect(await env.DB.prepare(jobs).bind(organization.id).first('n')).toBe(1)
    const finished = "SELECT count(*) AS n FROM events WHERE organization_id = ? AND kind = 'import.finished'"
    expect(await env.DB.prepare(finished).bind(organization.id).first('n')).toBe(1)
    expect((await world.look()).calls!.length).toBeGreaterThan(3)
  })
})

describe('an import into an organization of another database', () => {
  beforeAll(bindShards)

  it.each([1, 2])('makes everything in database %i and nothing elsewhere', async (shard) => {
    const { world } = await openForeign('calendly')
    Object.assign(env, { CALENDLY_API_BASE: world.base })
    const organization = await organizationIn(shard, { ownerEmail: 'ada.berger@example.com' })
    const job = await importWhole('calendly', organization, secretOf('calendly'))
    expect(job).toMatchObject({ status: 'done', made: { event_types: 11 } })
    expect(job.made.bookings).toBeGreaterThan(3)
    expect(shardOf(job.id)).toBe(shard)
    const bookings = await listed(organization, '/v1/bookings?limit=100')
    expect(new Set(bookings.map(({ id }) => shardOf(id)))).toEqual(new Set([shard]))
    for (const table of ['import_jobs', 'imported_from', 'bookings', 'event_types', 'schedules', 'events']) {
      const select = `SELECT count(*) AS n FROM ${table} WHERE organization_id = ?`
      const counts = await Promise.all(
        [0, 1, 2].map((each) => databaseOf(each).prepare(select).bind(organization.id).first<number>('n')),
      )
      expect([table, counts.map((n) => n! > 0)]).toEqual([table, [0, 1, 2].map((each) => each === shard)])
    }
    const again = await importWhole('calendly', organization, secretOf('calendly'))
    expect(again.made).toEqual({ schedules: 0, event_types: 0, bookings: 0 })
  })
})
