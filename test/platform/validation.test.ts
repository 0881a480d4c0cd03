import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { toldOf } from '../../src/platform/http/answer.ts'
import { isEmailAddress } from '../../src/platform/http/email-address.ts'
import { Refused } from '../../src/platform/http/errors.ts'
import { openRooms } from '../../src/platform/http/room.ts'
import { validate } from '../../src/platform/http/validate.ts'
import { rooms } from '../../src/routes.ts'
import { call, freshAddress } from '../support/app.ts'
import { book, createEventType, createOrganization, dayFromNow } from '../support/factories.ts'

const WRONG = [
  undefined,
  null,
  true,
  -1,
  1.5,
  1e15,
  '',
  'x',
  '-3',
  '2026-99-99',
  'http://localhost/',
  'x'.repeat(70_000),
  [],
  [1, 1],
  Array(500).fill(null),
  Array(500).fill({}),
  {},
  { x: 1 },
  Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`k${at}`, 'x'.repeat(400)])),
]

type Def = { type: string; innerType?: z.ZodType; in?: z.ZodType; element?: z.ZodType; options?: z.ZodType[] }

/** Values that a field may be sent with, most of them wrong, also deep inside. */
function wrongFor(schema: z.ZodType): unknown[] {
  const def = schema.def as unknown as Def
  const inner = def.innerType ?? def.in
  if (inner) return wrongFor(inner)
  if (schema instanceof z.ZodObject) {
    const deep = Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([name, field]) =>
      wrongFor(field).map((value) => ({ [name]: value })),
    )
    return [...WRONG, ...deep]
  }
  if (def.element) return [...WRONG, ...wrongFor(def.element).map((value) => [value])]
  return WRONG
}

function sentencesFor(schema: z.ZodObject, value: unknown): string[] {
  try {
    validate(schema, value)
    return []
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return Object.values(toldOf(error.refusal).details!) as string[]
  }
}

const routes = await openRooms(rooms)
const inputs = routes.flatMap(({ operationId, request }) =>
  (['query', 'headers', 'body'] as const).flatMap((part) => {
    const schema = request[part]
    return schema ? [[`${part} of ${operationId}`, schema] as const] : []
  }),
)

describe('what is wrong with a request', () => {
  it.each(inputs)('is described in one voice: the %s', (_, schema) => {
    const told = new Set(wrongFor(schema).flatMap((value) => sentencesFor(schema, value)))
    expect(told.size).toBeGreaterThan(0)
    for (const sentence of told) {
      expect(sentence).toMatch(/^(Must .+|Is required)\.$/s)
      expect(sentence).not.toMatch(/invalid|expected|received|too (big|small)|[<>]=|undefined|NaN|\bint\b/i)
    }
  })

  it('is said for each kind of field in words that help', () => {
    const schema = z.object({
      text: z.string().min(2).max(3),
      name: z.string().min(1),
      whole: z.int().min(1).max(9),
      above: z.number().gt(0).lt(1),
      list: z.array(z.string()).max(1),
      choice: z.enum(['a', 'b', 'c']),
      either: z.union([z.string(), z.int()]),
      link: z.url(),
      step: z.number().multipleOf(5),
    })
    const ask = (value: Record<string, unknown>) => {
      try {
        validate(schema.partial(), value)
      } catch (error) {
        return toldOf((error as Refused).refusal).details
      }
    }
    expect(ask({ text: 'x', name: '', whole: 0, above: 0, list: ['a', 'b'], choice: 'd' })).toEqual({
      text: 'Must have at least 2 characters.',
      name: 'Must not be empty.',
      whole: 'Must be at least 1.',
      above: 'Must be more than 0.',
      list: 'Must have at most 1 items.',
      choice: 'Must be a, b or c.',
    })
    expect(
      ask({ text: 'xxxx', name: 1, whole: 10, above: 1, list: [1], either: true, link: 'x', step: 3 }),
    ).toEqual({
      text: 'Must have at most 3 characters.',
      name: 'Must be text.',
      whole: 'Must be at most 9.',
      above: 'Must be less than 1.',
      'list.0': 'Must be text.',
      either: 'Must be text or a number.',
      link: 'Must be a URL.',
      step: 'Must be a multiple of 5.',
    })
  })

  it('is, for a compressed body, that it is compressed', async () => {
    const { liveKey: key } = await createOrganization()
    const stream = new Blob(['{}']).stream().pipeThrough(new CompressionStream('gzip'))
    const bytes = await new Response(stream).text()
    for (const [encoding, status] of [
      ['gzip', 400],
      ['br', 400],
      ['identity', 201],
    ] as const) {
      const body = status === 201 ? { title: 'Intro', slug: 'intro', duration_minutes: 30 } : bytes
      const headers = { 'Content-Encoding': encoding, 'CF-Connecting-IP': freshAddress() }
      const answer = await call('POST', '/v1/event-types', { key, headers, body })
      expect([encoding, answer.status]).toEqual([encoding, status])
      if (status === 400) expect(Object.keys(answer.body.error.details)).toEqual(['Content-Encoding'])
    }
  })

  it('is, for too wide a range of dates, how many days there may be', async () => {
    const { liveKey: key } = await createOrganization()
    const { id } = await createEventType(key)
    const ask = (end: string) =>
      call('GET', `/v1/availability?event_type_id=${id}&start=2030-01-01&end=${end}&timezone=UTC`)
    expect((await ask('2030-01-31')).status).toBe(200)
    const { status, body } = await ask('2030-02-01')
    expect([status, body.error.details]).toEqual([400, { end: 'Must be at most 30 days after the start.' }])
  })
})

describe('an email address', () => {
  const TAKEN = [
    'ada@example.com',
    'ada+tag@example.com',
    'r&d@example.com',
    "o'hara@example.com",
    'a/b=c%d!e#f$g*h?i^j`k{l|m}n~o@example.com',
    'first.last@sub.example.co.uk',
    '_@example.com',
    '1@1.example.com',
    `${'x'.repeat(64)}@example.com`,
    'jörg@example.com',
    '用户@例子.广告',
    'ada@bücher.example',
    'ada@xn--bcher-kva.example',
    'почта@пример.рф',
    'اختبار@مثال.إختبار',
    '📅@example.com',
  ]
  const REFUSED = [
    '',
    'ada',
    '@example.com',
    'ada@',
    'ada@localhost',
    'ada@@example.com',
    'ada lovelace@example.com',
    ' ada@example.com',
    'ada@example.com\n',
    'ada\r\nBcc: all@example.com',
    'ada\u0000@example.com',
    'ada\u2028@example.com',
    'ada\u00a0x@example.com',
    'ada\u200b@example.com',
    'ada\u202e@example.com',
    'ada,eve@example.com',
    'ada;eve@example.com',
    'ada:eve@example.com',
    '<ada@example.com>',
    'Ada <ada@example.com>',
    '"ada"@example.com',
    'ada(x)@example.com',
    'ada\\@example.com',
    'ada[x]@example.com',
    'ada＠eve@example.com',
    'ada＜@example.com',
    'ada⑴@example.com',
    '.ada@example.com',
    'ada.@example.com',
    'a..b@example.com',
    'ada@.example.com',
    'ada@example..com',
    'ada@example.com.',
    'ada@-example.com',
    'ada@exa_mple.com',
    'ada@exam ple.com',
    'ada@[127.0.0.1]',
    'ada@127.0.0.1',
    'ada@example.1',
    'ada@example.c',
    `${'x'.repeat(65)}@example.com`,
    `${'ö'.repeat(33)}@example.com`,
    `ada@${'x'.repeat(64)}.example`,
    `ada@${'x.'.repeat(124)}example`,
  ]

  it('is what mail systems take, in any script', () => {
    for (const address of TAKEN) expect([address, isEmailAddress(address)]).toEqual([address, true])
  })

  it('is nothing that breaks a header or that nobody can have', () => {
    for (const address of REFUSED) expect([address, isEmailAddress(address)]).toEqual([address, false])
  })

  it('is kept as it was typed, and found by it', async () => {
    const { liveKey: key } = await createOrganization()
    const { id } = await createEventType(key)
    for (const [at, address] of [
      'R&D=1@Example.com',
      'Jörg@Bücher.example',
      'Ölaf@bücher.example',
    ].entries()) {
      const made = await book(id, dayFromNow(3) + at * 3_600_000, { invitee_email: address })
      expect([made.status, made.body.invitee_email]).toEqual([201, address])
      const found = await call('GET', `/v1/bookings?invitee_email=${encodeURIComponent(address)}`, { key })
      expect(found.body.data.map((one: { id: string }) => one.id)).toEqual([made.body.id])
    }
  })

  it('is judged at once, however it is meant', () => {
    for (const long of [
      'a.'.repeat(20_000),
      `${'a'.repeat(40_000)}@`,
      `a@${'a-'.repeat(20_000)}`,
      '@'.repeat(40_000),
    ]) {
      expect(isEmailAddress(long)).toBe(false)
    }
  })
})
