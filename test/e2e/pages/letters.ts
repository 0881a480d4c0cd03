import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import ICAL from 'ical.js'
import type { Page } from 'playwright-core'
import { expect, inject, it } from 'vitest'
import { violationsOf } from '../../support/browser.ts'
import { SERVICE_KEY } from '../../support/service.ts'
import { browser, studio } from './stage.ts'

const { isSoak } = inject('chance')
const SHOTS = resolve(import.meta.dirname, '../../../dist/letters')
const LANGUAGES = ['en', 'de', 'fr', 'es', 'ja', 'ar']
const COLORS = ['#3b82f6', '#facc15', '#1e1b4b', '#dc2626', '#16a34a', '#000000', '#ffffff', '#ec4899']
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const FIRST = Math.floor(Date.now() / DAY_MS) * DAY_MS + 20 * DAY_MS + 14 * HOUR_MS
const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40"><rect width="120" height="40" fill="#0f766e"/></svg>'

type Letter = {
  readonly to: string
  readonly subject: string
  readonly body: string
  readonly html: string
  readonly attachments: readonly { readonly content: string }[]
}

async function ask(method: string, path: string, body: unknown, key: string, headers = {}): Promise<any> {
  const response = await fetch(new URL(path, studio.url), {
    method,
    headers: {
      'Content-Type': 'application/json',
      ...(key && { Authorization: `Bearer ${key}` }),
      ...headers,
    },
    ...(body !== null && { body: JSON.stringify(body) }),
  })
  const answer = await response.json()
  if (response.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
  return answer
}

const ALL_DAY = [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
  day_of_week,
  start_time: '00:00',
  end_time: '24:00',
}))

/** An organization with a logo, whose sandbox keeps what would be sent. */
async function openOffice(slug: string) {
  const owner = `${slug}@example.com`
  const input = {
    name: 'Büro Nordwind',
    slug,
    owner_user_id: slug,
    owner_email: owner,
    timezone: 'Europe/Berlin',
  }
  const organization = await ask('POST', '/v1/organizations', input, SERVICE_KEY)
  await ask('PATCH', `/v1/organizations/${organization.id}`, { tier: 'scale' }, SERVICE_KEY)
  const mode = (name: string) => ({ 'X-Org-Id': organization.id, 'X-Service-Mode': name })
  const { key } = await ask('POST', '/v1/api-keys', { name: 'letters' }, SERVICE_KEY, mode('test'))
  const branding = {
    logo_url: 'https://cdn.example.com/logo.svg',
    logo_dark_url: 'https://cdn.example.com/dark.svg',
    imprint_url: 'https://example.com/imprint',
    privacy_url: 'https://example.com/privacy',
  }
  await ask('PATCH', '/v1/branding', branding, SERVICE_KEY, mode('live'))
  const members = await ask(
    'GET',
    `/v1/organizations/${organization.id}/members`,
    null,
    SERVICE_KEY,
    mode('live'),
  )
  const ownersPath = `/v1/organizations/${organization.id}/members/${members.data[0].id}`
  const offer = async (eventType: Record<string, unknown>): Promise<string> => {
    const made = await ask(
      'POST',
      '/v1/event-types',
      { duration_minutes: 60, reminder_intervals: [], ...eventType },
      key,
    )
    await ask(
      'PUT',
      `/v1/event-types/${made.id}/availability`,
      { rules: ALL_DAY, timezone: eventType.timezone },
      key,
    )
    return made.id
  }
  return {
    owner,
    key,
    offer,
    setOwner: (body: unknown) => ask('PATCH', ownersPath, body, SERVICE_KEY, mode('live')),
    book: (event_type_id: string, start: number, more: Record<string, unknown>) =>
      ask('POST', '/v1/bookings', bookingOf(event_type_id, start, more), ''),
    letters: async (count: number): Promise<Letter[]> => {
      for (let tries = 0; tries < 100; tries++) {
        const { data } = await ask('GET', '/v1/test-data/outbox?limit=100', null, key)
        const letters = data.filter(({ channel }: { channel: string }) => channel === 'email')
        if (letters.length >= count) return letters.reverse()
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      throw new Error(`there are not ${count} letters`)
    },
  }
}

function bookingOf(event_type_id: string, start: number, more: Record<string, unknown>) {
  return {
    event_type_id,
    start_time: new Date(start).toISOString(),
    invitee_name: 'Ada Lovelace',
    invitee_email: 'ada@example.com',
    invitee_timezone: 'Asia/Tokyo',
    ...more,
  }
}

/** A place to show letters as a mail program does: no script of theirs, their pictures from nowhere else. */
async function openReader(width: number, colorScheme: 'light' | 'dark'): Promise<Page> {
  const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme })
  await page.route('**/*', (route) => route.fulfill({ contentType: 'image/svg+xml', body: LOGO }))
  return page
}

/** Six until somebody waits, two of the move, two of who is booked by that, and three of the cancel. */
const PER_LANGUAGE = 13

/** Each letter is shown in one of them, and with `npm run soak` in all. */
const WAYS = [
  [600, 'light'],
  [390, 'dark'],
  [600, 'dark'],
  [390, 'light'],
] as const

/** What an owner, two guests and somebody who waits read of two bookings, all in one language. */
async function correspondence(locale: string): Promise<Letter[]> {
  const office = await openOffice(`letters-${locale}`)
  await office.setOwner({ locale })
  const call = await office.offer({
    title: 'Beratung <Erstgespräch> & mehr',
    slug: 'call',
    conferencing_provider: 'custom',
    custom_meeting_url: 'https://meet.example.com/nordwind?room=a&pin=1',
    max_attendees: 3,
  })
  const visit = await office.offer({
    title: 'Ortstermin',
    slug: 'visit',
    conferencing_provider: 'in_person',
    location: 'Oranienstraße 12\n10999 Berlin',
    timezone: 'Europe/Berlin',
    waitlist_enabled: true,
  })
  const notes = `${'https://example.com/'.padEnd(160, 'x')}\nZeile 2`
  const guests = [{ name: 'Bob', email: 'bob@example.com' }]
  const booked = await office.book(call, FIRST, { locale, notes, attendees: guests })
  const there = await office.book(visit, FIRST, { locale })
  await ask('POST', '/v1/waitlist', bookingOf(visit, FIRST, { locale, invitee_email: 'eve@example.com' }), '')
  await office.letters(6)
  const change = ({ id, cancel_token }: any, what: string, body: unknown) =>
    ask('POST', `/v1/bookings/${id}/${what}?token=${cancel_token}`, body, '')
  const moved = { new_start_time: new Date(FIRST + 2 * HOUR_MS).toISOString(), reason: 'Der Zug fiel aus.' }
  await change(there, 'reschedule', moved)
  await change(booked, 'cancel', { reason: 'Ich bin krank.' })
  return office.letters(PER_LANGUAGE)
}

it('can be read by everybody in each language, on a desk and a phone, in the light and the dark', async () => {
  mkdirSync(SHOTS, { recursive: true })
  const letters = (await Promise.all(LANGUAGES.map(correspondence))).flat()
  for (const [at, [width, scheme]] of WAYS.entries()) {
    const reader = await openReader(width, scheme)
    for (const [number, { html, subject }] of letters.entries()) {
      const language = Math.floor(number / PER_LANGUAGE)
      if (!isSoak && (number + language) % WAYS.length !== at) continue
      await reader.setContent(html)
      const lang = String(await reader.evaluate('document.documentElement.lang'))
      const name = `${lang}-${String(number % PER_LANGUAGE).padStart(2, '0')}-${width}-${scheme}`
      await reader.screenshot({ path: resolve(SHOTS, `${name}.png`), fullPage: true })
      expect(await reader.evaluate('document.documentElement.scrollWidth'), `${name} ${subject}`).toBe(width)
      expect(await violationsOf(reader, ['wcag2a', 'wcag2aa', 'wcag21aa']), name).toEqual([])
    }
    await reader.close()
  }
  const told = letters.map(({ html }) => /<html lang="(\w+)"/.exec(html)![1])
  expect(new Set(told)).toEqual(new Set(LANGUAGES))
})

it('have a button that stands out and can be read, whatever color the organization has', async () => {
  const office = await openOffice('colors')
  for (const [at, color] of COLORS.entries()) {
    const id = await office.offer({ title: color, slug: `color-${at}`, color })
    await office.book(id, FIRST + at * HOUR_MS, {})
  }
  const letters = (await office.letters(COLORS.length * 2)).filter(({ to }) => to === 'ada@example.com')
  for (const scheme of ['light', 'dark'] as const) {
    const reader = await openReader(600, scheme)
    for (const { html, subject } of letters) {
      await reader.setContent(html)
      const { fill, text } = (await reader.evaluate(CONTRASTS)) as { fill: number; text: number }
      expect(fill, `${subject} ${scheme}`).toBeGreaterThanOrEqual(3)
      expect(text, `${subject} ${scheme}`).toBeGreaterThanOrEqual(4.5)
      expect(await violationsOf(reader, ['wcag2aa']), `${subject} ${scheme}`).toEqual([])
    }
    await reader.close()
  }
})

/** How much the button stands out from the card, and its words from it (WCAG 2.2, 1.4.3 and 1.4.11). */
const CONTRASTS = `(() => {
  const parts = (color) => color.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255)
  const linear = (part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  const luminance = (color) => {
    const [r, g, b] = parts(color).map(linear)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const contrast = (one, other) => {
    const [a, b] = [luminance(one), luminance(other)].sort((x, y) => y - x)
    return (a + 0.05) / (b + 0.05)
  }
  const style = (selector) => getComputedStyle(document.querySelector(selector))
  const button = style('a.button')
  return {
    fill: contrast(button.backgroundColor, style('.card').backgroundColor),
    text: contrast(button.color, button.backgroundColor),
  }
})()`

/** What Debian's library for calendar files (python3-icalendar) understands of one. */
function readByPython(content: string): Record<string, unknown> {
  const script = `
import json, sys
from icalendar import Calendar
calendar = Calendar.from_ical(sys.stdin.buffer.read())
event = [part for part in calendar.walk('VEVENT')][0]
text = lambda name: str(event[name]) if name in event else None
print(json.dumps({
  'method': str(calendar['METHOD']), 'uid': text('UID'), 'sequence': int(event['SEQUENCE']),
  'summary': text('SUMMARY'), 'location': text('LOCATION'), 'description': text('DESCRIPTION'),
  'start': event['DTSTART'].dt.timestamp() * 1000, 'end': event['DTEND'].dt.timestamp() * 1000,
  'errors': [str(error) for error in event.errors],
}))`
  const told = execFileSync('/usr/bin/python3', ['-c', script], { input: content, encoding: 'utf8' })
  return JSON.parse(told)
}

function readByIcal(content: string): Record<string, unknown> {
  const calendar = new ICAL.Component(ICAL.parse(content))
  const event = calendar.getFirstSubcomponent('vevent')!
  const text = (name: string) => event.getFirstPropertyValue(name)?.toString() ?? null
  const instant = (name: string) => (event.getFirstPropertyValue(name) as ICAL.Time).toJSDate().getTime()
  return {
    method: calendar.getFirstPropertyValue('method'),
    uid: text('uid'),
    sequence: Number(text('sequence')),
    summary: text('summary'),
    location: text('location'),
    description: text('description'),
    start: instant('dtstart'),
    end: instant('dtend'),
    errors: [],
  }
}

it('have calendar files that two other libraries read alike', async () => {
  const office = await openOffice('files')
  const titles = [
    'Tea, talk; and \\ more',
    '日本語の長い予約タイトル'.repeat(6),
    'موعد استشارة ',
    'Emoji 👩‍👩‍👧 & <b>',
  ]
  for (const [at, title] of titles.entries()) {
    const id = await office.offer({ title, slug: `file-${at}`, location: 'Saal 1; Haus B,\nHinterhof' })
    const notes = 'Line one\nLine two; with, all \\ signs "quoted" 🎉'
    await office.book(id, FIRST + at * HOUR_MS, { locale: 'ar', notes })
  }
  for (const { attachments, subject } of await office.letters(titles.length * 2)) {
    const [file] = attachments
    const read = readByPython(file!.content)
    expect(read, subject).toEqual(readByIcal(file!.content))
    expect(read, subject).toMatchObject({
      location: 'Saal 1; Haus B,\nHinterhof',
      end: Number(read.start) + HOUR_MS,
    })
    expect(String(read.description)).toContain('Line two; with, all \\ signs "quoted" 🎉')
  }
})
