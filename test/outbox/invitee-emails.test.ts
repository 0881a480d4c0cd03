import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { handleEvent } from '../../src/worker/jobs/handle-event.ts'
import { call, callAsService } from '../support/app.ts'
import {
  book,
  bookingInput,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
  type Organization,
} from '../support/factories.ts'
import { addHost, createMember } from '../support/hosts.ts'
import { eventIn, lettersTo } from '../support/outbox.ts'
import { unescaped, visit } from '../support/pages.ts'
import { serviceWith } from '../support/service-with.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 13 * HOUR_MS
const ADA = 'ada@example.com'

function patchOrganization({ id }: Organization, body: Record<string, unknown>) {
  return callAsService('PATCH', `/v1/organizations/${id}`, { body })
}

async function patchMember(organization: Organization, id: string, body: Record<string, unknown>) {
  const path = `/v1/organizations/${organization.id}/members/${id}`
  const { status } = await call('PATCH', path, { key: organization.liveKey, body })
  expect(status).toBe(200)
}

function act(booking: any, what: string, body: Record<string, unknown> = {}) {
  return call('POST', `/v1/bookings/${booking.id}/${what}?token=${booking.cancel_token}`, { body })
}

async function sandbox(input: Record<string, unknown> = {}) {
  const organization = await createOrganization()
  const { id } = await createEventType(organization.testKey, { reminder_intervals: [], ...input })
  return { organization, key: organization.testKey, id }
}

const isClock12 = (tag: string) =>
  new Intl.DateTimeFormat(tag, { hour: 'numeric' }).resolvedOptions().hour12 === true

describe('the email to an invitee', () => {
  const HEADINGS = {
    en: 'You are booked',
    'en-GB': 'You are booked',
    de: 'Ihr Termin ist gebucht',
    fr: 'Votre rendez-vous est réservé',
    es: 'Su cita está reservada',
    ja: '予約が完了しました',
    ar: 'تم حجز موعدك',
  }

  it.each(Object.entries(HEADINGS))(
    'is in their language, with its dates and hours: %s',
    async (tag, heading) => {
      const { key, id } = await sandbox({ title: 'Tea & talk' })
      await book(id, SLOT, { locale: tag, invitee_timezone: 'Asia/Tokyo' })
      const [letter] = await lettersTo(key, ADA, 1)
      const { html, body, subject } = letter!
      const language = tag.split('-')[0]!
      expect(html).toMatch(
        new RegExp(`^<!doctype html>\\n<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`),
      )
      expect(html).toContain(`<h1 class="ink"`)
      expect(unescaped(html)).toContain(`>${heading}</h1>`)
      expect(body.startsWith(`${heading}\n\n`)).toBe(true)
      const options = { calendar: 'gregory', timeZone: 'Asia/Tokyo' }
      const date = new Intl.DateTimeFormat(tag, {
        ...options,
        weekday: 'short',
        day: 'numeric',
        month: 'short',
        year: 'numeric',
      })
      expect(subject).toContain('Tea & talk')
      expect(subject).toContain(date.format(SLOT))
      const day = new Intl.DateTimeFormat(tag, { ...options, dateStyle: 'full' })
      const time = new Intl.DateTimeFormat(tag, { ...options, hour: 'numeric', minute: '2-digit' })
      for (const text of [body, unescaped(html)]) {
        expect(text).toContain(day.format(SLOT))
        expect(text).toContain(`${time.format(SLOT)} – ${time.format(SLOT + HOUR_MS / 2)}`)
        expect(text).toMatch(/\(Asia\/Tokyo\)/)
      }
      expect(/22:00/.test(body)).toBe(!isClock12(tag))
    },
  )

  it('of a cancelled booking leads back to the page where it was booked, while there is one', async () => {
    const { liveKey, slug } = await createOrganization()
    const sent: { to: string; subject: string; text: string; html: string }[] = []
    const quiet = serviceWith({ EMAIL: { send: async (email: any) => void sent.push(email) } })
    const input = { reminder_intervals: [], slug: 'intro', max_attendees: 2, booking_page_enabled: true }
    const { id } = await createEventType(liveKey, input)
    const cancelled = async (at: number, change: Record<string, unknown> = {}) => {
      const attendees = [{ name: 'Bob', email: 'bob@example.com' }]
      const { body } = await quiet.call('POST', '/v1/bookings', {
        body: bookingInput(id, at, { attendees, invitee_email: ADA }),
      })
      await call('PATCH', `/v1/event-types/${id}`, { key: liveKey, body: change })
      quiet.messages.length = 0
      await quiet.call('POST', `/v1/bookings/${body.id}/cancel?token=${body.cancel_token}`, { body: {} })
      const told = quiet.messages.find((message) => message.type === 'event')!
      await handleEvent(quiet.env, told.eventId)
      return sent.splice(0)
    }
    const pageUrl = `${env.PUBLIC_URL}/book/${slug}/intro`
    const letters = await cancelled(SLOT)
    expect(letters).toHaveLength(2)
    for (const { to, text, html } of letters) {
      const isInvitee = to === ADA
      expect(text.includes(`Book another time:\n${pageUrl}\n`)).toBe(isInvitee)
      expect(html.includes(`href="${pageUrl}"`)).toBe(isInvitee)
    }
    for (const gone of [{ booking_page_enabled: false }, { active: false }]) {
      await call('PATCH', `/v1/event-types/${id}`, {
        key: liveKey,
        body: { active: true, booking_page_enabled: true },
      })
      const without = await cancelled(SLOT + HOUR_MS, gone)
      expect(without).toHaveLength(2)
      for (const { text } of without) expect(text).not.toContain(pageUrl)
    }
  })

  it('has a first line for lists of emails that ends behind a whole character', async () => {
    for (const before of ['', '.']) {
      const { key, id } = await sandbox({ title: before + '😀'.repeat(120) })
      await book(id, SLOT)
      const [letter] = await lettersTo(key, ADA, 1)
      expect(letter!.html).toMatch(/mso-hide:all">\.?(😀){50,}…<\/div>/u)
    }
  })

  it("is in the organization's language if theirs is not supported, and in English if neither is", async () => {
    const { organization, key, id } = await sandbox()
    const headings: string[] = []
    for (const [at, locale] of ['de-CH', 'pl'].entries()) {
      await patchOrganization(organization, { locale })
      await book(id, SLOT + at * HOUR_MS, { locale: 'pt' })
      headings.push((await lettersTo(key, ADA, at + 1)).at(-1)!.body.split('\n')[0]!)
    }
    expect(headings).toEqual(['Ihr Termin ist gebucht', 'You are booked'])
  })

  it('looks as the organization wants, says so to mail programs, and has one button', async () => {
    const { organization, key, id } = await sandbox({
      color: '#0f766e',
      conferencing_provider: 'custom',
      custom_meeting_url: 'https://meet.example.com/a?b=1&c=2',
    })
    const branding = {
      logo_url: 'https://cdn.example.com/logo.png?a=1&b=2',
      logo_alt_text: 'Acme "Inc."',
      logo_dark_url: 'https://cdn.example.com/dark.png',
      imprint_url: 'https://example.com/imprint',
      privacy_url: 'https://example.com/privacy',
    }
    await call('PATCH', '/v1/branding', { key: organization.liveKey, body: branding })
    const { body: booking } = await book(id, SLOT)
    const [letter] = await lettersTo(key, ADA, 1)
    const { html, body } = letter!
    for (const sign of [
      '<meta charset="utf-8">',
      '<meta name="viewport" content="width=device-width, initial-scale=1">',
      '<meta name="color-scheme" content="light dark">',
      '@media(prefers-color-scheme:dark)',
      'src="https://cdn.example.com/logo.png?a=1&amp;b=2" alt="Acme &quot;Inc.&quot;"',
      'src="https://cdn.example.com/dark.png"',
      'bgcolor="#0f766e"',
    ]) {
      expect(html).toContain(sign)
    }
    const links = [...html.matchAll(/<a [^>]*href="([^"]*)"[^>]*>([^<]*)<\/a>/g)].map(([, url, text]) => [
      unescaped(url!),
      unescaped(text!),
    ])
    const manage = links.filter(([url]) =>
      url!.includes(`/bookings/${booking.id}?token=${booking.cancel_token}`),
    )
    expect(manage.map(([, text]) => text)).toEqual(['Cancel or reschedule'])
    expect(links).toContainEqual(['https://meet.example.com/a?b=1&c=2', 'Join the call (meet.example.com)'])
    for (const url of [branding.imprint_url, branding.privacy_url]) {
      expect(links.map(([to]) => to)).toContain(url)
      expect(body).toContain(url)
    }
    expect(html).not.toMatch(/<(script|link|form|iframe)/)
    expect(html).toContain('Scheduling by Holdfast')
    await call('PATCH', '/v1/branding', {
      key: organization.liveKey,
      body: { accent_color: '#b91c1c', remove_branding: true },
    })
    await act(booking, 'cancel')
    const [, ended] = await lettersTo(key, ADA, 2)
    expect(ended!.html).toContain('bgcolor="#b91c1c"')
    expect(ended!.html).not.toContain('Holdfast')
  })

  it('is from the organization by name and answered by the host, else the owner', async () => {
    const organization = await createOrganization({ ownerEmail: 'owner@example.com' })
    const key = organization.testKey
    const { id } = await createEventType(key, { reminder_intervals: [] })
    await book(id, SLOT)
    const hosted = await createEventType(key, { reminder_intervals: [], assignment_strategy: 'round_robin' })
    const host = await createMember(organization)
    await addHost(key, hosted.id, host.id)
    await patchMember(organization, host.id, { name: 'Grace Hopper' })
    await book(hosted.id, SLOT)
    const [byOwner, byHost] = await lettersTo(key, ADA, 2)
    expect(byOwner).toMatchObject({
      from_name: expect.stringMatching(/^Acme/),
      reply_to: 'owner@example.com',
    })
    expect(byHost!.reply_to).toBe(`${host.userId}@example.com`)
    expect(byHost!.body).toMatch(/^With:\nGrace Hopper\nAcme/m)
  })

  it('names both time zones if people meet on site and their clock shows a different time', async () => {
    const { organization, key } = await sandbox()
    const place = { conferencing_provider: 'in_person', location: 'Main St. 1\nBoston' }
    const { id } = await createEventType(key, {
      ...place,
      timezone: 'America/New_York',
      reminder_intervals: [],
    })
    await call('PATCH', `/v1/event-types/${id}`, { key, body: { timezone: 'America/New_York' } })
    const { body: booking } = await book(id, SLOT, { invitee_timezone: 'Asia/Tokyo' })
    await act(booking, 'reschedule', { new_start_time: iso(SLOT + HOUR_MS), reason: 'Later is better' })
    await book(id, SLOT + 3 * HOUR_MS, { invitee_timezone: 'America/Toronto' })
    const [made, moved, near] = await lettersTo(key, ADA, 3)
    const clock = (timeZone: string, at = SLOT) =>
      new Intl.DateTimeFormat('en', { hour: 'numeric', minute: '2-digit', timeZone }).format(at)
    expect(made!.body).toMatch(/^When:\n.*\n.*\nEastern (Standard|Daylight) Time \(America\/New York\)$/m)
    expect(made!.body).toMatch(/^Your time:\n.*\n.*\nJapan Standard Time \(Asia\/Tokyo\)$/m)
    for (const zone of ['America/New_York', 'Asia/Tokyo']) expect(made!.body).toContain(clock(zone))
    expect(made!.body).toContain('Where:\nMain St. 1\nBoston')
    expect(eventIn(made!).location).toBe('Main St. 1\nBoston')
    expect(moved!.body).toMatch(
      new RegExp(`^Previously:\\n.*\\n${clock('America/New_York')} – .*\\nEastern`, 'm'),
    )
    expect(moved!.body).toContain('Reason:\n> Later is better')
    expect(near!.body).not.toContain('Your time:')
    expect(organization.testKey).toBe(key)
  })

  it('has a calendar file with where it is and how to change it, and guests get one without that', async () => {
    const { key, id } = await sandbox({
      max_attendees: 2,
      conferencing_provider: 'custom',
      custom_meeting_url: 'https://meet.example.com/room',
    })
    const attendees = [{ name: 'Bob', email: 'bob@example.com' }]
    const { body: booking } = await book(id, SLOT, { attendees, notes: 'Hi' })
    const [mine] = await lettersTo(key, ADA, 1)
    const [theirs] = await lettersTo(key, 'bob@example.com', 1)
    const manage = `/bookings/${booking.id}?token=${booking.cancel_token}`
    expect(eventIn(mine!)).toMatchObject({
      method: 'REQUEST',
      summary: expect.stringMatching(/^Intro call · Acme/),
      location: 'https://meet.example.com/room',
      attendees: ['mailto:ada@example.com', 'mailto:bob@example.com'],
    })
    expect(eventIn(mine!).description).toContain('Hi')
    expect(eventIn(mine!).description).toContain(manage)
    const guest = eventIn(theirs!)
    expect(guest).toMatchObject({
      attendees: ['mailto:bob@example.com'],
      location: 'https://meet.example.com/room',
    })
    expect(JSON.stringify(theirs)).not.toContain(booking.cancel_token)
    expect(theirs!.html).not.toMatch(/class="fill button"/)
    expect(theirs!.body).toContain('your address was entered as a guest')
  })

  it('leads to the place of the meeting if that is a link', async () => {
    const { key, id } = await sandbox({ location: 'https://meet.example.com/r?a=1&b="2"' })
    await book(id, SLOT)
    const [letter] = await lettersTo(key, ADA, 1)
    const link = 'https://meet.example.com/r?a=1&amp;b=&quot;2&quot;'
    expect(letter!.html).toMatch(/<div dir="auto"[^>]*><a class="link" href="https:/)
    expect(letter!.html).toContain(`href="${link}"`)
    expect(letter!.html).toContain(`>${link}</a>`)
    expect(letter!.body).toContain('Where:\nhttps://meet.example.com/r?a=1&b="2"\n')
  })

  it('lets no name and no title of earlier days begin a line that looks like ours', async () => {
    const { key, id } = await sandbox({ max_attendees: 2 })
    const { body: booking } = await book(id, SLOT, { notes: 'One\u2028Two' })
    const [first] = await lettersTo(key, ADA, 1)
    expect(first!.body).toContain('Notes:\n> One\n> Two')
    await env.DB.batch([
      env.DB.prepare('UPDATE event_types SET title = ? WHERE id = ?').bind('Tea\nPay here: evil.example', id),
      env.DB.prepare('UPDATE bookings SET invitee_name = ? WHERE id = ?').bind('Ada\n> evil', booking.id),
    ])
    await act(booking, 'cancel')
    const [, ended] = await lettersTo(key, ADA, 2)
    for (const { body } of [first!, ended!]) expect(body).not.toMatch(/^(Pay here|> evil)/m)
  })

  it('says in their language why it ended if no reason was typed', async () => {
    const { key, id } = await sandbox()
    const { body: booking } = await book(id, SLOT, { locale: 'de' })
    await act(booking, 'cancel', { reason: 'Deleted in the calendar' })
    const [, ended] = await lettersTo(key, ADA, 2)
    expect(ended!.subject).toMatch(/^Abgesagt: Intro call, /)
    expect(ended!.body).toContain('Grund:\nEr wurde aus dem Kalender des Gastgebers entfernt.')
    expect(eventIn(ended!).method).toBe('CANCEL')
  })
})

describe('the email about a waitlist entry', () => {
  it('says in their language what they wait for, as the how manieth and until when, and leads to the way out', async () => {
    const { key, id } = await sandbox({ waitlist_enabled: true, title: 'Tea' })
    await book(id, SLOT, { invitee_email: 'first@example.com' })
    const wait = (email: string, input: Record<string, unknown> = {}) =>
      call('POST', '/v1/waitlist', {
        body: {
          event_type_id: id,
          start_time: iso(SLOT),
          invitee_name: 'Ada',
          invitee_email: email,
          ...input,
        },
      })
    await wait('other@example.com')
    await wait(ADA, { locale: 'fr', invitee_timezone: 'Europe/Paris' })
    await wait('any@example.com', { start_time: null, locale: 'ja' })
    const [letter] = await lettersTo(key, ADA, 1)
    expect(letter!.subject).toMatch(/^Sur liste d’attente : Tea, /)
    expect(letter!.body).toMatch(/^Position sur la liste d’attente\u00a0:\n2$/m)
    expect(letter!.body).toMatch(/\(Europe\/Paris\)$/m)
    const [any] = await lettersTo(key, 'any@example.com', 1)
    expect(any!.subject).toBe('キャンセル待ち: Tea')
    const [, url] = /^Quitter la liste d’attente\u00a0:\nhttps?:\/\/[^/]+(\/waitlist\/\S+)$/m.exec(
      letter!.body,
    )!
    const shown = await visit(url!)
    expect([shown.status, shown.text.includes('/leave')]).toEqual([200, true])
  })

  it('is one email when they are booked, with the calendar file', async () => {
    const { key, id } = await sandbox({ waitlist_enabled: true })
    const { body: booked } = await book(id, SLOT, { invitee_email: 'first@example.com' })
    await call('POST', '/v1/waitlist', {
      body: {
        event_type_id: id,
        start_time: iso(SLOT),
        invitee_name: 'Ada',
        invitee_email: ADA,
        locale: 'es',
      },
    })
    await lettersTo(key, ADA, 1)
    await act(booked, 'cancel')
    const [, promoted] = await lettersTo(key, ADA, 2)
    expect(promoted!.subject).toMatch(/^Ha quedado una plaza libre: Intro call, /)
    expect(promoted!.body).toContain('ya está reservada para usted')
    expect(promoted!.body).toMatch(/^Cancelar o reprogramar:\nhttp\S+\?token=\S+$/m)
    expect(eventIn(promoted!)).toMatchObject({ method: 'REQUEST', attendees: [`mailto:${ADA}`] })
  })
})

describe('the email with a code', () => {
  it('is in the requested language', async () => {
    const { key, id } = await sandbox({ verify_email: true })
    for (const locale of ['de', undefined]) {
      await call('POST', '/v1/email-verifications', { body: { event_type_id: id, email: ADA, locale } })
    }
    const [german, english] = await lettersTo(key, ADA, 2)
    expect(german!.subject).toBe('Ihr Code für Intro call')
    expect(german!.body).toMatch(/^\d{6}$/m)
    expect(english!.subject).toBe('Your code for Intro call')
  })
})
