import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { call } from '../support/app.ts'
import { enter } from '../support/console.ts'
import { book, createEventType, createOrganization, dayFromNow, iso } from '../support/factories.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS
/** More than a page of the file, whose rows are read a thousand at a time. */
const MANY = 2_001

/** Stores copies of a row with other ids, and times that are each an hour later. */
async function copyRows(table: string, id: string, times: readonly string[], copies = MANY - 1) {
  const { results } = await env.DB.prepare('SELECT name FROM pragma_table_info(?)')
    .bind(table)
    .all<{ name: string }>()
  const names = results.map(({ name }) => name)
  const values = names.map((name) =>
    name === 'id'
      ? "substr(id, 1, 24) || printf('%012x', i)"
      : times.includes(name)
        ? `"${name}" + i * ${HOUR_MS}`
        : // One address waits once.
          table === 'waitlist_entries' && name === 'invitee_email'
          ? 'i || invitee_email'
          : `"${name}"`,
  )
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${copies})
     INSERT INTO ${table} (${names.map((name) => `"${name}"`)}) SELECT ${values} FROM ${table}, n WHERE id = ?`,
  )
    .bind(id)
    .run()
}

/** The lines of a file below its head, and how many there are of each. */
function linesOf(text: string) {
  const [, ...lines] = text.trimEnd().split('\r\n')
  return { lines, different: new Set(lines).size }
}

describe('a list as a file', () => {
  it('has all bookings of a long list, each once, in the order of the list', async () => {
    const organization = await createOrganization()
    const eventType = await createEventType(organization.liveKey, { title: 'Talk' })
    const { body } = await book(eventType.id, SLOT, { invitee_phone: '+4930123456' })
    await copyRows('bookings', body.id, ['start_time', 'end_time'])
    const browser = await enter(organization)
    for (const [view, isUpwards] of [
      ['upcoming', true],
      ['all', false],
    ] as const) {
      const { text } = await browser.visit(`/console/bookings/download?view=${view}`)
      const { lines, different } = linesOf(text)
      expect([view, lines.length, different]).toEqual([view, MANY, MANY])
      const starts = lines.map((line) => line.split(',')[0]!)
      expect(starts).toEqual(isUpwards ? starts.toSorted() : starts.toSorted().reverse())
      expect(
        lines.every((line) => line.includes(',Talk,Ada Lovelace,') && line.includes(',+4930123456,')),
      ).toBe(true)
    }
  })

  it('has all requests and all who wait', async () => {
    const organization = await createOrganization()
    const asked = await createEventType(organization.liveKey, { requires_approval: true })
    const { body: request } = await book(asked.id, SLOT)
    await copyRows('bookings', request.id, ['start_time', 'end_time'])
    await copyRows('slot_holds', request.id, ['start_time', 'end_time'])
    const full = await createEventType(organization.liveKey, {
      ...{ title: 'Choir', waitlist_enabled: true },
      questions: [{ key: 'voice', label: 'Voice?', type: 'short_text' }],
    })
    await book(full.id, SLOT)
    const entry = await call('POST', '/v1/waitlist', {
      body: {
        ...{ event_type_id: full.id, start_time: iso(SLOT), invitee_name: '=1+1', notes: 'Or, later' },
        ...{ invitee_email: 'wait@example.com', invitee_phone: '+4930123456', answers: { voice: 'Alto' } },
      },
    })
    expect(entry.status).toBe(201)
    const browser = await enter(organization)
    const one = linesOf((await browser.visit('/console/bookings/download?view=waitlist')).text)
    const cells = one.lines[0]!.split(',')
    expect([cells[0], cells[1], cells[2], cells[3], cells[4]]).toEqual([
      '1',
      'Choir',
      iso(SLOT),
      "'=1+1",
      'wait@example.com',
    ])
    expect(one.lines[0]).toMatch(/,\+4930123456,"Or, later",Voice\?: Alto$/)
    await copyRows('waitlist_entries', entry.body.id, ['place'])
    for (const view of ['requests', 'waitlist']) {
      const file = await browser.visit(`/console/bookings/download?view=${view}`)
      expect(file.headers.get('Content-Disposition')).toBe(`attachment; filename="bookings-${view}.csv"`)
      const { lines, different } = linesOf(file.text)
      expect([view, lines.length, different]).toEqual([view, MANY, MANY])
    }
  })

  it('refuses what it cannot narrow before it begins, and is empty but for its head without bookings', async () => {
    const browser = await enter(await createOrganization())
    expect((await browser.visit('/console/bookings/download?view=all&host=nobody')).status).toBe(404)
    for (const view of ['upcoming', 'requests', 'waitlist', 'all', 'all&q=a', 'all&q=-']) {
      const file = await browser.visit(`/console/bookings/download?view=${view}`)
      expect([file.status, linesOf(file.text).lines]).toEqual([200, []])
    }
  })
})
