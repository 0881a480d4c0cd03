import { describe, expect, it } from 'vitest'
import { call, callAsService } from '../support/app.ts'
import {
  book,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
  type Organization,
} from '../support/factories.ts'
import { userWithRole } from '../support/members.ts'
import { lettersTo } from '../support/outbox.ts'
import { unescaped } from '../support/pages.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 13 * HOUR_MS
const ADA = 'ada@example.com'
const KINDS = ['confirmation', 'moved', 'cancelled', 'reminder', 'request', 'waitlist', 'follow_up']
const EVERY =
  '{{invitee_name}}|{{event_type}}|{{start}}|{{host}}|{{place}}|{{organization}}|{{ invitee_name }}'

function put({ liveKey: key }: Organization, kind: string, body: Record<string, unknown>, locale?: string) {
  const query = locale === undefined ? '' : `?locale=${locale}`
  return call('PUT', `/v1/email-texts/${kind}${query}`, { key, body })
}

async function sandbox(input: Record<string, unknown> = {}) {
  const organization = await createOrganization()
  const { id } = await createEventType(organization.testKey, { reminder_intervals: [], ...input })
  return { organization, key: organization.testKey, id }
}

describe('an email text', () => {
  it('is null with its default before it is written, in the language of the organization', async () => {
    const { liveKey: key, id } = await createOrganization()
    await callAsService('PATCH', `/v1/organizations/${id}`, { body: { locale: 'de-AT' } })
    const { status, body } = await call('GET', '/v1/email-texts/moved', { key })
    expect(status).toBe(200)
    expect(body).toEqual({
      kind: 'moved',
      locale: 'de',
      subject: null,
      intro: null,
      closing: null,
      default: {
        subject: 'Neue Zeit: {{event_type}}, {{start}}',
        intro: 'Bitte beachten Sie die neue Zeit.',
        closing: null,
      },
      updated_at: null,
    })
    const found = await Promise.all(
      KINDS.map((kind) => call('GET', `/v1/email-texts/${kind}?locale=ja`, { key })),
    )
    expect(
      found.map((one) => one.body.default.subject).every((text) => text.includes('{{event_type}}')),
    ).toBe(true)
  })

  it('is replaced as a whole, listed, logged and deleted', async () => {
    const organization = await createOrganization()
    const { liveKey: key, testKey } = organization
    const first = await put(
      organization,
      'reminder',
      { subject: 'Soon', intro: 'Hello', closing: 'Bye' },
      'fr',
    )
    expect([first.status, first.body.closing]).toEqual([200, 'Bye'])
    const second = await put(organization, 'reminder', { intro: 'Salut' }, 'fr')
    expect(second.body).toMatchObject({ subject: null, intro: 'Salut', closing: null })
    await put(organization, 'confirmation', { subject: 'Yes' }, 'en')
    for (const each of [key, testKey]) {
      const { data } = (await call('GET', '/v1/email-texts', { key: each })).body
      expect(data.map((text: any) => [text.kind, text.locale])).toEqual([
        ['confirmation', 'en'],
        ['reminder', 'fr'],
      ])
    }
    expect((await call('DELETE', '/v1/email-texts/reminder?locale=fr', { key })).status).toBe(204)
    expect((await call('DELETE', '/v1/email-texts/reminder?locale=fr', { key })).status).toBe(204)
    await put(organization, 'confirmation', {}, 'en')
    expect((await call('GET', '/v1/email-texts', { key })).body.data).toEqual([])
    const { body } = await call('GET', '/v1/activity?limit=10', { key })
    const logged = body.data.map(({ action }: { action: string }) => action)
    expect(logged.filter((action: string) => action.startsWith('email_text'))).toEqual([
      'email_text.deleted',
      'email_text.deleted',
      'email_text.updated',
      'email_text.updated',
      'email_text.updated',
    ])
  })

  it.each([
    ['intro', { intro: 'Hello {{name}}' }, '{{name}}'],
    ['subject', { subject: '{{start}' }, '{{start}'],
    ['closing', { closing: '{{invitee_name}} {{constructor}}' }, '{{constructor}}'],
    ['subject', { subject: 'two\nlines' }, 'one line'],
    ['subject', { subject: 'x'.repeat(256) }, '255'],
    ['subject', { subject: ' ' }, 'blank'],
    ['intro', { intro: 'x'.repeat(5001) }, '5000'],
    ['closing', { closing: 7 }, 'text'],
    ['intro', { intro: 'Log in at https://bank.example@evil.example/' }, '@ before its host'],
    ['closing', { closing: 'http:\u2060//bank.example:x@evil.example' }, '@ before its host'],
  ])('is refused at %s and leaves nothing behind: %o', async (field, body, said) => {
    const organization = await createOrganization()
    const { status, body: answer } = await put(organization, 'reminder', body)
    expect([status, Object.keys(answer.error.details)]).toEqual([400, [field]])
    expect(answer.error.details[field]).toContain(said)
    expect((await call('GET', '/v1/email-texts', { key: organization.liveKey })).body.data).toEqual([])
  })

  it('has one of six languages and one of seven kinds', async () => {
    const organization = await createOrganization()
    const wrong = await put(organization, 'reminder', { intro: 'x' }, 'it')
    expect([wrong.status, Object.keys(wrong.body.error.details)]).toEqual([400, ['locale']])
    expect((await put(organization, 'birthday', { intro: 'x' })).status).toBe(404)
  })
})

describe('an email with texts of its organization', () => {
  it('has subject, first and last words in its language, and the default in others', async () => {
    const { organization, key, id } = await sandbox({ title: 'Tea', location: 'Room 4' })
    const text = {
      subject: '{{organization}}: {{event_type}} {{start}}',
      intro: EVERY,
      closing: 'Bring a pen.',
    }
    await put(organization, 'confirmation', text, 'en')
    await book(id, SLOT, { invitee_timezone: 'UTC' })
    await book(id, SLOT + HOUR_MS, { locale: 'de' })
    const [english, german] = await lettersTo(key, ADA, 2)
    expect(english!.subject).toMatch(/: Tea \w+, \w+ \d+, \d{4}$/)
    const [, intro] = english!.body.split('\n\n')
    const [name, title, start, , place, , again] = intro!.split('|')
    expect([name, title, place, again]).toEqual(['Ada Lovelace', 'Tea', 'Room 4', 'Ada Lovelace'])
    expect(start).toContain('1:00')
    expect(english!.body).toContain('\n\nBring a pen.\n\n-- \n')
    expect(english!.html).toContain('Bring a pen.')
    expect(german!.subject).toMatch(/^Bestätigt/)
    expect(german!.body).not.toContain('Bring a pen.')
  })

  it('has the default subject if its own has nothing to say, and no space at its end', async () => {
    const { organization, key, id } = await sandbox()
    await put(organization, 'confirmation', { subject: ' {{place}} {{place}}' }, 'en')
    await book(id, SLOT)
    const [empty] = await lettersTo(key, ADA, 1)
    expect(empty!.subject).toMatch(/^Confirmed: /)
    await put(organization, 'confirmation', { subject: 'See you {{place}}' }, 'en')
    await book(id, SLOT + HOUR_MS)
    const [, short] = await lettersTo(key, ADA, 2)
    expect(short!.subject).toBe('See you')
  })

  it('has those of its kind', async () => {
    const { organization, key, id } = await sandbox({ max_guests: 1 })
    for (const kind of KINDS) await put(organization, kind, { closing: `Closing of ${kind}` }, 'en')
    const { body: made } = await book(id, SLOT, { guests: [{ email: 'guest@example.com' }] })
    const at = `/v1/bookings/${made.id}`
    const token = `token=${made.cancel_token}`
    await call('POST', `${at}/reschedule?${token}`, { body: { new_start_time: iso(SLOT + HOUR_MS) } })
    await call('POST', `${at}/cancel?${token}`, { body: {} })
    const letters = await lettersTo(key, ADA, 3)
    const closings = (items: typeof letters) => items.map(({ body }) => /Closing of (\w+)/.exec(body)?.[1])
    expect(closings(letters)).toEqual(['confirmation', 'moved', 'cancelled'])
    expect(closings(await lettersTo(key, 'guest@example.com', 3))).toEqual(closings(letters))
    const { id: asked } = await createEventType(key, { reminder_intervals: [], requires_approval: true })
    const { body: request } = await book(asked, SLOT, { invitee_email: 'bo@example.com' })
    await lettersTo(key, 'bo@example.com', 1)
    await call('POST', `/v1/bookings/${request.id}/decline`, { key, body: {} })
    expect(closings(await lettersTo(key, 'bo@example.com', 2))).toEqual(['request', 'cancelled'])
    const { id: full } = await createEventType(key, { reminder_intervals: [], waitlist_enabled: true })
    await book(full, SLOT + 9 * HOUR_MS, { invitee_email: 'cy@example.com' })
    const joined = await call('POST', '/v1/waitlist', {
      body: {
        event_type_id: full,
        start_time: iso(SLOT + 9 * HOUR_MS),
        invitee_name: 'Di',
        invitee_email: 'di@example.com',
      },
    })
    expect(joined.status).toBe(201)
    expect(closings(await lettersTo(key, 'di@example.com', 1))).toEqual(['waitlist'])
  })

  it('keeps HTML as text, makes no link of a value, and cannot end before its sender', async () => {
    const { organization, key, id } = await sandbox({ title: 'see www.evil.example/x' })
    const intro = '<b>Hi</b> https://own.example\n\n{{event_type}} {{invitee_name}}\n-- \nrest\n\n\n\n\nlast'
    await put(organization, 'confirmation', { intro, subject: '{{event_type}}' }, 'en')
    await book(id, SLOT, { invitee_name: 'Ada@evil.example 10.0.0.1' })
    const [letter] = await lettersTo(key, ADA, 1)
    expect(letter!.html).toContain('&lt;b&gt;Hi&lt;/b&gt; https://own.example')
    expect(letter!.html).not.toContain('href="https://own.example')
    for (const text of [letter!.body, unescaped(letter!.html)]) {
      const said = text.slice(text.indexOf('own.example'), text.indexOf('last'))
      expect(said).toContain(
        'www.\u2060evil.\u2060example/x Ada@\u2060evil.\u2060example 10.\u20600.\u20600.\u20601',
      )
    }
    expect(letter!.body.match(/^-- $/gm)).toHaveLength(1)
    expect(letter!.body).toContain('\n--\nrest\n\nlast\n')
    expect(letter!.subject).toBe('see www.evil.example/x')
  })

  it('shows no address backwards, and completes none with a value', async () => {
    const { organization, key, id } = await sandbox()
    const intro =
      'See https://own.example{{invitee_name}} or {{invitee_name}}evil.example \u202emoc.knab\u202c!'
    expect((await put(organization, 'confirmation', { intro }, 'en')).status).toBe(200)
    await book(id, SLOT, { invitee_name: '@evil.example/\u202eadA:' })
    const [letter] = await lettersTo(key, ADA, 1)
    const said = 'https://own.example\u2060@evil.\u2060example/adA:\u2060 or \u2060@evil.'
    expect(letter!.body).toContain(said)
    expect(letter!.body).not.toMatch(/[\u202a-\u202e]/)
    expect(letter!.html.match(/<a /g)!.length).toBeGreaterThan(0)
    expect(letter!.html).not.toMatch(/href="[^"]*(evil|own)/)
  })

  it('names the host of each link that its organization chose', async () => {
    const { organization, key, id } = await sandbox({
      conferencing_provider: 'custom',
      custom_meeting_url: 'https://rooms.example.net/ada',
    })
    const imprint = { imprint_url: 'https://acme.example.org/imprint' }
    expect((await call('PATCH', '/v1/branding', { key: organization.liveKey, body: imprint })).status).toBe(
      200,
    )
    await book(id, SLOT)
    const [letter] = await lettersTo(key, ADA, 1)
    expect(letter!.html).toMatch(
      /href="https:\/\/rooms\.example\.net\/ada"[^>]*>[^<]+\(rooms\.example\.net\)</,
    )
    expect(letter!.html).toMatch(
      /href="https:\/\/acme\.example\.org\/imprint"[^>]*>[^<]+\(acme\.example\.org\)</,
    )
  })

  it('says nothing to guests of an anonymous caller that was typed', async () => {
    const { organization, key, id } = await sandbox({ max_guests: 1 })
    await put(organization, 'confirmation', { intro: 'Hello {{invitee_name}}' }, 'en')
    await book(id, SLOT, { invitee_name: 'Buy now', guests: [{ email: 'guest@example.com', name: 'Typed' }] })
    const [letter] = await lettersTo(key, 'guest@example.com', 1)
    expect(letter!.body).toContain('Hello guest@\u2060example.\u2060com')
    expect(letter!.body).not.toMatch(/Buy now|Typed/)
  })
})

describe('a preview', () => {
  const preview = (key: string, kind: string, body: Record<string, unknown>) =>
    call('POST', `/v1/email-texts/${kind}/preview`, { key, body })

  it.each(KINDS)('shows the stored texts in the language that was asked for: %s', async (kind) => {
    const organization = await createOrganization()
    await put(organization, kind, { subject: 'Betreff', intro: 'Guten Tag, {{invitee_name}}' }, 'de')
    const { status, body } = await preview(organization.liveKey, kind, { locale: 'de' })
    expect([status, body.subject, body.sent_to]).toEqual([200, 'Betreff', null])
    expect(body.html).toMatch(/<html lang="de"/)
    expect(body.text).toContain('Guten Tag, Ada Lovelace')
    const other = await preview(organization.liveKey, kind, { locale: 'en' })
    expect(other.body.subject).not.toBe('Betreff')
  })

  it('is sent to the calling member without a calendar file, and to nobody else', async () => {
    const organization = await createOrganization()
    const refused = await preview(organization.testKey, 'confirmation', { locale: 'en', send_to_me: true })
    expect([refused.status, Object.keys(refused.body.error.details)]).toEqual([400, ['send_to_me']])
    const userId = await userWithRole(organization, 'admin')
    const email = `${userId}@example.com`
    const sent = await callAsService('POST', '/v1/email-texts/confirmation/preview', {
      headers: { 'X-Org-Id': organization.id, 'X-Service-Mode': 'test', 'X-User-Id': userId },
      body: { locale: 'en', send_to_me: true },
    })
    expect([sent.status, sent.body.sent_to]).toEqual([200, email])
    const [letter] = await lettersTo(organization.testKey, email, 1)
    expect([letter!.subject, letter!.attachments]).toEqual([sent.body.subject, []])
  })
})
