import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { seal } from '../../src/platform/auth/secret.ts'
import { looseId, newIdIn } from '../../src/platform/db/ids.ts'
import { sweep } from '../../src/worker/jobs/sweep.ts'
import { call } from '../support/app.ts'
import {
  book,
  createEventType,
  createOrganization,
  dayFromNow,
  type Organization,
  unique,
} from '../support/factories.ts'
import { audit, exportOf, forgetEverything, importText, textOf } from '../support/moves.ts'
import { newOrganization } from '../support/recipes.ts'
import { bindShards } from '../support/shards.ts'

const HOUR_MS = 3_600_000

async function kept(): Promise<number> {
  const { results } = await env.DB.batch<{ kept: number }>([
    env.DB.prepare('SELECT (SELECT count(*) FROM imports) + (SELECT count(*) FROM import_chunks) AS kept'),
  ]).then(([first]) => first!)
  return results[0]!.kept
}

describe('an import', () => {
  let organization: Organization
  let lines: any[]
  let booked: any

  beforeAll(async () => {
    organization = await createOrganization()
    const { id } = await createEventType(organization.liveKey)
    booked = (await book(id, dayFromNow(3) + 9 * HOUR_MS)).body
    const hook = { url: 'https://hooks.invalid/', events: ['booking.created'] }
    await call('POST', '/v1/webhooks', { key: organization.liveKey, body: hook })
    lines = await exportOf(organization.liveKey)
    await forgetEverything()
  })

  const at = (type: string) => lines.findIndex((line) => line.type === type)
  const changed = (type: string, change: Record<string, unknown>) =>
    lines.map((line, index) => (index === at(type) ? { ...line, ...change } : line))

  it.each<[what: string, make: () => string, details: () => Record<string, string>]>([
    ['nothing', () => '', () => ({ body: 'Must end with the line of type end: it is not complete.' })],
    [
      'what is no JSON',
      () => `${JSON.stringify(lines[0])}\n{"type":\n`,
      () => ({ 'lines.2': 'Must be valid JSON.' }),
    ],
    [
      'another kind of file',
      () => '{"name":"Acme"}\n',
      () => ({ 'lines.1.type': 'Must be export: the first line of a file.' }),
    ],
    [
      'a later format',
      () => textOf([{ ...lines[0], format: 2 }, ...lines.slice(1)]),
      () => ({ 'lines.1.format': 'Must be 1.' }),
    ],
    [
      'an end that is missing',
      () => textOf(lines.slice(0, -1)),
      () => ({ body: 'Must end with the line of type end: it is not complete.' }),
    ],
    [
      'a line cut short',
      () => textOf(lines).slice(0, -40),
      () => ({ [`lines.${lines.length}`]: 'Must be valid JSON.' }),
    ],
    [
      'a line that got lost',
      () =>
        `${lines
          .filter((_, index) => index !== at('bookings'))
          .map((line) => JSON.stringify(line))
          .join('\n')}\n`,
      () => ({ [`lines.${lines.length - 1}.rows.bookings`]: 'Must be how many there are: 0.' }),
    ],
    [
      'lines after the end',
      () => textOf(lines) + JSON.stringify(lines[1]),
      () => ({ [`lines.${lines.length + 1}`]: 'Must not be there: the line before is the end.' }),
    ],
    [
      'a line of more bytes than a row may have',
      () => textOf(changed('bookings', { notes: 'é'.repeat(1_000_000) })),
      () => ({ [`lines.${at('bookings') + 1}`]: 'Must be at most 2 MB long.' }),
    ],
    [
      'a line that is longer when it is stored',
      () => textOf(changed('bookings', { metadata: { list: Array(500_000).fill('') } })),
      () => ({ [`lines.${at('bookings') + 1}`]: 'Must be at most 2 MB long.' }),
    ],
    [
      'a text for a number',
      () => textOf(changed('bookings', { start_time: 'noon' })),
      () => ({ [`lines.${at('bookings') + 1}.start_time`]: 'Must be a whole number.' }),
    ],
    [
      'an instant that is none, which nobody could read',
      () => textOf(changed('bookings', { end_time: 8_640_000_000_000_001 })),
      () => ({
        [`lines.${at('bookings') + 1}.end_time`]: 'Must be nearer to 0.',
      }),
    ],
    [
      'a status that is none',
      () => textOf(changed('bookings', { status: 'lost' })),
      () => ({
        [`lines.${at('bookings') + 1}.status`]:
          'Must be pending_approval, pending_payment, confirmed, rescheduled or cancelled.',
      }),
    ],
    [
      'a field that is missing',
      () => textOf(changed('bookings', { invitee_name: undefined })),
      () => ({ [`lines.${at('bookings') + 1}.invitee_name`]: 'Is required.' }),
    ],
    [
      'a field that is none',
      () => textOf(changed('bookings', { invitee: 'Ada' })),
      () => ({ [`lines.${at('bookings') + 1}.invitee`]: 'Must not be there: bookings have no such field.' }),
    ],
    [
      'a table that is none',
      () => textOf(changed('bookings', { type: 'sqlite_master' })),
      () => ({ [`lines.${at('bookings') + 1}.type`]: 'Must be a type that exports have.' }),
    ],
    [
      'a row of another organization',
      () => textOf(changed('bookings', { organization_id: looseId() })),
      () => ({
        [`lines.${at('bookings') + 1}.organization_id`]: 'Must be of the organization of the first line.',
      }),
    ],
    [
      'a booking of an event type that is not in it',
      () => textOf(changed('bookings', { event_type_id: looseId() })),
      () => ({
        [`lines.${at('bookings') + 1}.event_type_id`]:
          'Must be the id of an earlier line of type event_types.',
      }),
    ],
    [
      'a number in metadata that would be changed',
      () =>
        textOf(changed('bookings', { metadata: { deep: [{ order: 'N' }] } })).replace(
          '"N"',
          '9007199254740993',
        ),
      () => ({
        [`lines.${at('bookings') + 1}.metadata`]:
          'Must be a number that can be stored exactly. Send larger ones as strings.',
      }),
    ],
    [
      'a booking before its event type',
      () => textOf([...lines.slice(0, 2), lines[at('bookings')], ...lines.slice(2)]),
      () => ({ 'lines.3.event_type_id': 'Must be the id of an earlier line of type event_types.' }),
    ],
    [
      'no organization',
      () => textOf([lines[0], ...lines.slice(2)]),
      () => ({ 'lines.2.type': 'Must be organizations, which come first.' }),
    ],
    [
      'two organizations',
      () => textOf([...lines.slice(0, 2), ...lines.slice(1)]),
      () => ({ 'lines.3.type': 'Must not be organizations: one was before.' }),
    ],
  ])('refuses %s, says where, and leaves nothing', async (_, make, details) => {
    const { status, body } = await importText(make())
    expect({ status, details: body.error?.details }).toEqual({ status: 400, details: details() })
    expect(Object.values(await audit()).flat()).toEqual([])
    expect(await kept()).toBe(0)
  })

  const ZONE = 'Must be an IANA time zone, such as Europe/Berlin.'

  it.each<[type: string, field: string, value: unknown, sentence: string]>([
    ['organizations', 'timezone', 'zz', ZONE],
    ['organizations', 'active_per_email', 0, 'Must be at least 1.'],
    ['organizations', 'plan_limits.members', -1, 'Must be at least 0.'],
    ['organizations', 'region', 'mars', expect.stringContaining('weur') as never],
    ['organizations', 'sandbox_now', 8_640_000_000_000_000, 'Must be at most 253402300799999.'],
    ['members', 'timezone', 'zz', ZONE],
    ['members', 'max_bookings_per_day', -1, 'Must be at least 1.'],
    ['event_types', 'timezone', 'zz', ZONE],
    ['event_types', 'duration_minutes', -30, 'Must be at least 5.'],
    ['event_types', 'duration_options.0', 0, 'Must be at least 5.'],
    ['event_types', 'buffer_before_minutes', -1, 'Must be at least 0.'],
    ['event_types', 'buffer_after_minutes', 121, 'Must be at most 120.'],
    ['event_types', 'slot_interval_minutes', 0, 'Must be at least 5.'],
    ['event_types', 'minimum_notice_minutes', -1, 'Must be at least 0.'],
    ['event_types', 'reminder_intervals.0', 'soon', 'Must be a number.'],
    ['event_types', 'max_attendees', 0, 'Must be at least 1.'],
    ['event_types', 'booking_cap', 0, 'Must be at least 1.'],
    ['event_types', 'waitlist_max', -1, 'Must be at least 1.'],
    ['event_types', 'price_amount', -1, 'Must be at least 100.'],
    ['event_types', 'price_currency', 'money', 'Must be a three-letter currency, such as usd.'],
    ['event_types', 'price_currency', 'USD', 'Must be in lower case.'],
    ['event_types', 'questions', {}, 'Must be a list.'],
    ['event_types', 'questions.0', 'Why?', 'Must be an object.'],
    ['event_types', 'bookable_from', 'soon', 'Must be a date such as 2026-03-09.'],
    ['availability_rules', 'day_of_week', 7, 'Must be at most 6.'],
    ['availability_rules', 'end_time', '00:00', 'Must be after the start.'],
    ['bookings', 'invitee_timezone', 'zz', ZONE],
    ['bookings', 'attendees.0.timezone', 'zz', ZONE],
  ])('refuses %s whose %s is %j, which the API never accepts', async (type, field, value, sentence) => {
    const [column, ...within] = field.split('.') as [string, ...string[]]
    const inside = within.reduceRight((inner, name) => (name === '0' ? [inner] : { [name]: inner }), value)
    const { status, body } = await importText(textOf(changed(type, { [column]: inside })))
    expect([status, body.error?.details]).toEqual([400, { [`lines.${at(type) + 1}.${field}`]: sentence }])
    expect(Object.values(await audit()).flat()).toEqual([])
    expect(await kept()).toBe(0)
  })

  it.each([
    [
      'a time that is taken twice',
      () => {
        const hold = lines[at('holds')]
        return [
          ...lines.slice(0, at('holds')),
          { ...hold, starts_at: hold.starts_at + 1 },
          ...lines.slice(at('holds')),
        ]
      },
    ],
    ['a hold that ends before it begins', () => changed('holds', { ends_at: 0 })],
    ['a hold of nobody', () => changed('holds', { holder_id: looseId() })],
    [
      'an id twice',
      () => [
        ...lines.slice(0, at('bookings')),
        ...lines.slice(at('bookings'), at('bookings') + 1),
        ...lines.slice(at('bookings')),
      ],
    ],
  ])('refuses %s with a conflict, and leaves nothing', async (_, make) => {
    expect(await importText(textOf(make()))).toMatchObject({
      status: 409,
      body: { error: { code: 'conflict' } },
    })
    expect(Object.values(await audit()).flat()).toEqual([])
    expect(await kept()).toBe(0)
  })

  it('accepts a body in pieces, a byte of an email at a time', async () => {
    const id = looseId()
    const text = new TextEncoder().encode(textOf(newOrganization(id)).replace('"Acme"', '"Äcme €"'))
    let sent = 0
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        if (sent === text.length) return controller.close()
        controller.enqueue(text.slice(sent, ++sent))
      },
    })
    expect(await importText(stream)).toMatchObject({ status: 201, body: { organization_id: id } })
    const row = await env.DB.prepare('SELECT name FROM organizations WHERE id = ?').bind(id).first()
    expect(row).toEqual({ name: 'Äcme €' })
  })

  it.each([undefined, unique('refused')])(
    'reads a refused body to its end, because clients read no response while sending (key: %s)',
    async (key) => {
      const line = new TextEncoder().encode(
        `${JSON.stringify({ type: 'nothing', text: 'x'.repeat(10_000) })}\n`,
      )
      let left = 200
      const stream = new ReadableStream<Uint8Array>({
        pull: (controller) => {
          if (left-- === 0) return controller.close()
          controller.enqueue(line.slice())
        },
      })
      expect((await importText(stream, key)).body.error.details).toEqual({
        'lines.1.type': 'Must be export: the first line of a file.',
      })
      expect(left).toBe(-1)
    },
  )

  it('accepts a name that was accepted before, and a stored language tag that has grown', async () => {
    const [first, row, end] = newOrganization() as [any, any, any]
    const variants = Array.from({ length: 10 }, (_, at) => `dialect${at}`).join('-')
    const { status } = await importText(
      textOf([first, { ...row, name: ' \t', locale: `sr-Latn-${variants}`.slice(0, 68) }, end]),
    )
    expect(status).toBe(201)
  })

  it('accepts only one of two at the same time', async () => {
    const text = textOf(newOrganization())
    const answers = await Promise.all([importText(text), importText(text)])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
    expect(await kept()).toBe(0)
  })

  it('is done once under a key; the key is refused with another file', async () => {
    const key = unique('import')
    const [text, other] = [textOf(newOrganization()), textOf(newOrganization())]
    const wrong = await importText('{}', key)
    expect([wrong.status, wrong.body.error.code]).toEqual([400, 'validation_error'])
    const first = await importText(text, key)
    const again = await importText(text, key)
    expect([first.status, again.status, again.headers.get('Idempotent-Replayed')]).toEqual([201, 201, 'true'])
    expect(again.body).toEqual(first.body)
    const refused = await importText(other, key)
    expect([refused.status, refused.body.error.message]).toEqual([
      409,
      'This Idempotency-Key was used with a different request.',
    ])
    expect((await importText(other)).status).toBe(201)
    expect(await kept()).toBe(0)
  })

  it('goes into the database that its ids lead to, with its names in the directory', async () => {
    await bindShards()
    const id = newIdIn(1)
    const lines = newOrganization(id)
    expect(await importText(textOf(lines))).toMatchObject({ status: 201, body: { organization_id: id } })
    const count = (db: D1Database, query: string) => db.prepare(query).bind(id).first<number>('n')
    const ofIt = 'SELECT count(*) AS n FROM organizations WHERE id = ?'
    expect([await count(env.DB, ofIt), await count(env.SECOND, ofIt)]).toEqual([0, 1])
    const named = 'SELECT count(*) AS n FROM names WHERE organization_id = ?'
    expect(await count(env.DB, named)).toBeGreaterThan(0)
    const waits = 'SELECT count(*) AS n FROM imports WHERE organization_id = ?'
    expect([await count(env.DB, waits), await count(env.SECOND, waits)]).toEqual([0, 0])
    expect((await importText(textOf(lines))).status).toBe(409)
    const [first, row, end] = newOrganization() as [any, any, any]
    const { slug } = lines[1] as any
    expect((await importText(textOf([first, { ...row, slug }, end]))).status).toBe(409)
  })

  it('refuses a slug or an owner that somebody else has', async () => {
    const there = await createOrganization()
    const [first, row, end] = newOrganization() as [any, any, any]
    for (const [field, value] of [
      ['slug', there.slug],
      ['owner_user_id', there.ownerUserId],
    ] as const) {
      const answer = await importText(textOf([first, { ...row, [field]: value }, end]))
      expect(answer.status).toBe(409)
      expect(answer.body.error.message).toContain(`organizations.${field}`)
    }
  })

  it('is removed by the sweep if it died, and can be repeated', async () => {
    const id = looseId()
    await env.DB.batch([
      env.DB.prepare('INSERT INTO imports (id, organization_id, seen_at) VALUES (?, ?, ?)').bind(
        id,
        looseId(),
        Date.now() - 3 * HOUR_MS,
      ),
      env.DB.prepare("INSERT INTO import_chunks (import_id, number, rows) VALUES (?, 0, '[]')").bind(id),
    ])
    await sweep(env, Date.now())
    await sweep(env, Date.now())
    expect(await kept()).toBe(0)
  })

  it('leaves out what is sealed under another key, says so, and imports the rest', async () => {
    const foreign = await seal('another-encryption-key-0123456789abcdef', 'secret')
    const given = lines.map((line) => {
      if (line.type === 'export') return { ...line, key_version: foreign.split('.')[0] }
      if (line.type === 'bookings') return { ...line, answers: foreign }
      return line.type === 'webhook_endpoints' ? { ...line, secret: foreign } : line
    })
    const { status, body } = await importText(textOf(given))
    expect({ status, body }).toMatchObject({
      status: 201,
      body: {
        keeps_tokens: false,
        left_out_count: 2,
        left_out: [
          { line: at('webhook_endpoints') + 1, type: 'webhook_endpoints', field: null, why: 'sealed' },
          { line: at('bookings') + 1, type: 'bookings', field: 'answers', why: 'sealed' },
        ],
      },
    })
    const { body: found } = await call('GET', `/v1/bookings/${booked.id}`, { key: organization.liveKey })
    expect(found).toMatchObject({ id: booked.id, invitee_email: 'ada@example.com' })
    const { body: hooks } = await call('GET', '/v1/webhooks', { key: organization.liveKey })
    expect(hooks.data).toEqual([])
  })

  it('reports compressed lines', async () => {
    const { status, body } = await importText('\u001f', undefined, 'gzip')
    expect([status, Object.keys(body.error.details)]).toEqual([400, ['Content-Encoding']])
  })

  it('is for the service key alone', async () => {
    const { liveKey } = await createOrganization()
    expect((await call('POST', '/v1/import', { key: liveKey, body: textOf(newOrganization()) })).status).toBe(
      401,
    )
  })
})
