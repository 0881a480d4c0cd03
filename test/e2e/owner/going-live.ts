import { expect, it } from 'vitest'
import { textsOf } from '../../../src/platform/i18n/console/catalogue.ts'
import { startTexts } from '../../../src/platform/i18n/console/start.ts'
import { HOME, openPractice, visit } from './stage.ts'
import { WAYS } from './ways.ts'

it.each(WAYS)('goes live from an empty organization within three pages: %s', async (name, way) => {
  const practice = await openPractice(way.language)
  const texts = textsOf(way, startTexts)
  const { page, look, leave } = await practice.enter(way)
  const seen = [new URL(page.url()).pathname]
  page.on('framenavigated', (frame) => seen.push(new URL(frame.url()).pathname))
  await look(`owner-start ${name}`)
  await page.getByLabel(texts.slug).fill(`live-${name.replaceAll(' ', '-')}`)
  await page.getByLabel(texts.eventTitle).fill('Physiotherapy')
  await page.getByRole('button', { name: texts.create }).click()
  await page.getByRole('heading', { name: texts.readyTitle }).waitFor()
  await look(`owner-ready ${name}`)
  const address = (await page.locator('.copy-line code').first().textContent())!
  expect(seen).toEqual(['/console/start', '/console/start'])
  await leave()
  // The address is what a guest gets.
  const guest = await visit(way)
  await guest.page.goto(address.replace(/^https?:\/\/[^/]+/, HOME))
  await guest.page.getByRole('link', { name: 'Physiotherapy' }).click()
  await guest.page.locator('.times a, .month a').first().waitFor()
  await guest.look(`owner-live ${name}`)
  await guest.leave()
})
