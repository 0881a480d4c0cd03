import { expect, it } from 'vitest'
import { newVisitor } from '../../support/browser.ts'
import { browser, studio } from './stage.ts'

it.each([true, false])(
  'lets invitees choose the host before the time, also by keyboard (script: %s)',
  async (javaScriptEnabled) => {
    const name = javaScriptEnabled ? 'hosts' : 'hosts-without-script'
    const { slug, id } = await studio.offer({
      title: 'Lesson',
      slug: name,
      duration_minutes: 30,
      assignment_strategy: 'round_robin',
      host_choice: 'required',
    })
    const [, grace] = await studio.host(id, ['Ada Byron', 'Grace Hopper'])
    const { page, look, leave } = await newVisitor(browser, { javaScriptEnabled })
    await page.goto(new URL(`/book/northwind/${slug}`, studio.url).href)
    const times = page.locator('a[href*="time="]')
    await page.getByRole('heading', { name: 'Choose a host' }).waitFor()
    expect(await times.count()).toBe(0)
    await look(name)
    await page.getByRole('navigation', { name: 'Choose a host' }).getByRole('link').nth(1).focus()
    await page.keyboard.press('Enter')
    await times.first().waitFor()
    await look(`${name}-times`)
    await times.first().click()
    await page.getByLabel('Name', { exact: true }).fill('Ada')
    await page.getByLabel('Email address').fill('ada@example.com')
    await look(`${name}-form`)
    await page.getByRole('button', { name: 'Confirm booking' }).click()
    await page.waitForURL(/\/booked\//)
    const own = new URL(page.url()).pathname.split('/').at(-1)
    const booking = (await studio.bookings()).find((one) => one.id === own)
    expect(booking.assigned_host.member_id).toBe(grace)
    await look(`${name}-booked`)
    await leave()
  },
)

it('has the same width on a phone in Arabic', async () => {
  const { slug, id } = await studio.offer({
    title: 'Lesson',
    slug: 'many-hosts',
    duration_minutes: 30,
    assignment_strategy: 'round_robin',
    host_choice: 'optional',
  })
  await studio.host(id, ['Supercalifragilistic '.repeat(4).trim(), 'Grace Hopper', 'Ada Byron'])
  const phone = { viewport: { width: 320, height: 640 }, isMobile: true, hasTouch: true, locale: 'ar' }
  const { page, look, leave } = await newVisitor(browser, phone)
  await page.goto(new URL(`/book/northwind/${slug}`, studio.url).href)
  await look('hosts-phone')
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
  await leave()
})
