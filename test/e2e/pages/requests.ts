import { expect, it, vi } from 'vitest'
import { newVisitor } from '../../support/browser.ts'
import { openOffice } from '../../support/office.ts'
import { browser, studio } from './stage.ts'

const HOUR_MS = 3_600_000
const START = Math.floor(Date.now() / HOUR_MS) * HOUR_MS + 20 * 24 * HOUR_MS
const HEADINGS = {
  'en-US': ['A booking needs your approval', 'Decline', 'Approve', 'This request is approved'],
  'de-DE': [
    'Ein Termin wartet auf Ihre Bestätigung',
    'Ablehnen',
    'Bestätigen',
    'Diese Anfrage ist bestätigt',
  ],
  'ar-EG': ['حجز في انتظار موافقتك', 'رفض', 'موافقة', 'تمت الموافقة على هذا الطلب'],
} as const

it('lets the recipient of the email decide a request, in their language and accessibly', async () => {
  const office = await openOffice(studio.url, 'requests')
  const offered = await office.offer({
    title: 'Beratung',
    slug: 'beratung',
    requires_approval: true,
    timezone: 'Europe/Berlin',
  })
  let booked = 0
  for (const [locale, [heading, decline, approve, approved]] of Object.entries(HEADINGS)) {
    const { id } = await office.book(offered, START + booked * HOUR_MS, {
      invitee_email: `ada${booked}@example.com`,
      notes: 'I bring the plans.',
    })
    booked++
    const asked = await vi.waitFor(async () => {
      const found = (await office.letters(1)).find(({ body }) => body.includes(`/requests/${id}`))
      expect(found?.to).toBe(office.owner)
      return found!
    }, 60_000)
    const path = /^http\S+(\/requests\/\S+)$/m.exec(asked.body)![1]!
    const look = {
      colorScheme: booked === 2 ? 'dark' : 'light',
      viewport: { width: 400, height: 800 },
    } as const
    const visitor = await newVisitor(browser, { locale, ...look })
    const { page } = visitor
    await page.goto(new URL(path, studio.url).href)
    await page.getByRole('heading', { name: heading }).waitFor()
    await page.getByText(decline, { exact: true }).first().click()
    await page.locator('#reason').waitFor()
    await visitor.look(`request-${locale}`, ['https://cdn.example.com'])
    await page.getByRole('button', { name: approve, exact: true }).click()
    await page.getByRole('heading', { name: approved }).waitFor()
    await visitor.look(`request-approved-${locale}`, ['https://cdn.example.com'])
    expect(await page.locator('form[action^="/requests"]').count()).toBe(0)
    await visitor.leave()
  }
})
