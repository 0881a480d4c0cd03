import { expect, it } from 'vitest'
import { newVisitor } from '../../support/browser.ts'
import { ask, at, browser, enter, newOwner } from './stage.ts'

/** One of its own, so that the times of no other walk change. */
async function edited() {
  const { id } = await ask(
    'POST',
    '/v1/event-types',
    { title: 'Edited', slug: `edited-${crypto.randomUUID()}`, duration_minutes: 30 },
    'live',
  )
  return (tab = '') => at(`/console/event-types/${id}${tab}`)
}
const GROUP = 'Talks'

it('takes unsaved changes along to other tabs, marks them, and saves them together', async () => {
  const own = await edited()
  const { page, look, leave } = await newOwner()
  await page.goto(own())
  const tabs = page.getByRole('navigation', { name: 'Event type settings' })
  await page.getByText('Several durations, seats').click()
  await page.locator('[name="group"]').fill(GROUP)
  await tabs.getByRole('link', { name: 'Basics (not saved yet)' }).waitFor()
  await tabs.getByRole('link', { name: 'Availability' }).click()
  await page.getByText('Not saved yet: Basics.').waitFor()
  await look('console-unsaved')
  await page.getByLabel('Buffer after').fill('5')
  await tabs.getByRole('link', { name: /^Basics/ }).click()
  await page.getByText('Not saved yet: Basics and Availability.').waitFor()
  expect(await page.locator('[name="group"]').inputValue()).toBe(GROUP)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved.', { exact: true }).waitFor()
  expect(await page.locator('[name="group"]').inputValue()).toBe(GROUP)
  await tabs.getByRole('link', { name: 'Availability' }).click()
  await page.waitForURL(/\/hours$/)
  expect(await page.getByLabel('Buffer after').inputValue()).toBe('5')
  await leave()
})

it('marks what is filled in again: by the browser after going back, by the console after signing in', async () => {
  const own = await edited()
  const { page, leave } = await newOwner()
  await page.goto(own())
  const tabs = page.getByRole('navigation', { name: 'Event type settings' })
  const title = page.locator('[name="title"]')
  const keepTitle = async () => {
    await tabs.getByRole('link', { name: 'Basics (not saved yet)' }).waitFor()
    await tabs.getByRole('link', { name: 'Availability' }).click()
    await page.getByText('Not saved yet: Basics.').waitFor()
  }
  await title.fill('Typed')
  await page.goto(at('/console/clients'))
  await page.goBack()
  expect(await title.inputValue()).toBe('Typed')
  await keepTitle()
  await page.goto(own())
  expect(await tabs.getByRole('link', { name: 'Basics (not saved yet)' }).count()).toBe(0)
  await title.fill('Sent in vain')
  await page.context().clearCookies({ name: '__Host-hf_session' })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL(/sign-in/)
  await enter(page, new RegExp(new URL(own()).pathname))
  expect(await title.inputValue()).toBe('Sent in vain')
  await keepTitle()
  await leave()
})

it('saves the hosts when Enter is pressed in a field of theirs, which removes none of them', async () => {
  const own = await edited()
  const { page, leave } = await newOwner()
  await page.goto(own('/hosts'))
  await page.getByRole('button', { name: 'Add host' }).click()
  await page.getByText('Saved.', { exact: true }).waitFor()
  await page.goto(own('/hosts'))
  await page.getByLabel('Priority').fill('3')
  await page.getByLabel('Priority').press('Enter')
  await page.getByText('Saved.', { exact: true }).waitFor()
  await page.goto(own('/hosts'))
  expect(await page.getByLabel('Priority').inputValue()).toBe('3')
  await leave()
})

it('keeps unsaved changes without a script too', async () => {
  const own = await edited()
  const { page, leave } = await newVisitor(browser, { javaScriptEnabled: false })
  await enter(page)
  await page.goto(own())
  await page.getByLabel('Description').fill('Kept')
  await page.getByRole('button', { name: 'Payment', exact: true }).click()
  await page.getByText('Not saved yet: Basics.').waitFor()
  await page.getByRole('button', { name: /^Basics/ }).click()
  expect(await page.getByLabel('Description').inputValue()).toBe('Kept')
  await leave()
})

it('shows fields once they matter, and copies the times of a day to all', async () => {
  const own = await edited()
  const { page, look, leave } = await newOwner()
  const unfold = () =>
    page.locator('details.folded').evaluateAll((folds) => {
      for (const fold of folds) fold.setAttribute('open', '')
    })
  await page.goto(own())
  const waiting = page.locator('[name="waitlist_max"]')
  expect(await waiting.isVisible()).toBe(false)
  await page.locator('summary', { hasText: 'Waitlist' }).click()
  await page.locator('[name="waitlist_enabled"]').check()
  expect(await waiting.isVisible()).toBe(true)
  const link = page.locator('[name="custom_meeting_url"]')
  expect(await link.isVisible()).toBe(false)
  await page.locator('[name="conferencing_provider"]').selectOption('custom')
  expect(await link.isVisible()).toBe(true)
  await unfold()
  await look('console-unfolded')
  await page.goto(own('/hours'))
  await unfold()
  await look('console-unfolded-hours')
  expect(await page.locator('[name="booking_cap_period"]').isVisible()).toBe(false)
  await page.locator('[name="d3_from"]').first().fill('07:15')
  await page.locator('[name="d3_to"]').first().fill('17:00')
  await page.getByRole('button', { name: 'Copy to all days (Wednesday)' }).click()
  expect(await page.locator('[name="d0_from"]').first().inputValue()).toBe('07:15')
  expect(await page.locator('[name="d5_to"]').first().inputValue()).toBe('17:00')
  await page.locator('[name="hours_from"]').selectOption('hosts')
  expect(await page.locator('[name="d3_from"]').first().isVisible()).toBe(false)
  await leave()
})
