import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, inject, it } from 'vitest'
import { KEEPS_PICTURES, violationsOf } from '../../support/browser.ts'
import { bookingOf, type Letter, openOffice } from '../../support/office.ts'
import { browser, studio } from './stage.ts'

const { isSoak } = inject('chance')
const SHOTS = resolve(import.meta.dirname, '../../../dist/emails')
const LANGUAGES = ['en', 'de', 'fr', 'es', 'ja', 'ar']
const COLORS = ['#3b82f6', '#facc15', '#1e1b4b', '#dc2626', '#16a34a', '#000000', '#ffffff', '#ec4899']
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const FIRST = Math.floor(Date.now() / DAY_MS) * DAY_MS + 20 * DAY_MS + 14 * HOUR_MS
const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40"><rect width="120" height="40" fill="#0f766e"/></svg>'

/** A place to show letters as a mail program does: no script of theirs, their pictures from nowhere else. */
async function openReader(width: number, colorScheme: 'light' | 'dark'): Promise<Page> {
  const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme })
  await page.route('**/*', (route) => route.fulfill({ contentType: 'image/svg+xml', body: LOGO }))
  return page
}

/** Six until somebody waits, two of the move, two of who is booked by that, and three of the cancel. */
const PER_LANGUAGE = 13

/** Each letter is shown in one of them, and with `npm run storms` in all. */
const WAYS = [
  [600, 'light'],
  [390, 'dark'],
  [600, 'dark'],
  [390, 'light'],
] as const

/** What an owner, two guests and somebody who waits read of two bookings, all in one language. */
async function correspondence(locale: string): Promise<Letter[]> {
  const office = await openOffice(studio.url, `letters-${locale}`)
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
  await office.ask(
    'POST',
    '/v1/waitlist',
    bookingOf(visit, FIRST, { locale, invitee_email: 'eve@example.com' }),
    '',
  )
  await office.letters(6)
  const change = ({ id, cancel_token }: any, what: string, body: unknown) =>
    office.ask('POST', `/v1/bookings/${id}/${what}?token=${cancel_token}`, body, '')
  const moved = { new_start_time: new Date(FIRST + 2 * HOUR_MS).toISOString(), reason: 'Der Zug fiel aus.' }
  await change(there, 'reschedule', moved)
  await change(booked, 'cancel', { reason: 'Ich bin krank.' })
  return office.letters(PER_LANGUAGE)
}

it('are accessible in each language, on a desktop and a phone, in the light and the dark', async () => {
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
      if (KEEPS_PICTURES) await reader.screenshot({ path: resolve(SHOTS, `${name}.png`), fullPage: true })
      expect(await reader.evaluate('document.documentElement.scrollWidth'), `${name} ${subject}`).toBe(width)
      // Every other one: a language has an odd number of them, so each kind is judged in half of the languages.
      if (!isSoak && number % 2 === 1) continue
      expect(await violationsOf(reader, ['wcag2a', 'wcag2aa', 'wcag21aa']), name).toEqual([])
    }
    await reader.close()
  }
  const told = letters.map(({ html }) => /<html lang="(\w+)"/.exec(html)![1])
  expect(new Set(told)).toEqual(new Set(LANGUAGES))
})

it('have a button that stands out and can be read, whatever color the organization has', async () => {
  const office = await openOffice(studio.url, 'colors')
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
