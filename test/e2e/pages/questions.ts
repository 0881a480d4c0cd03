import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { newVisitor } from '../../support/browser.ts'
import { browser, studio } from './stage.ts'

const COLORS = ['Red', 'Green & "blue"', 'Neither']
const ask = (type: string, label: string, more: object = {}) => ({ key: type, type, label, ...more })
const QUESTIONS = [
  ask('short_text', 'Your dog’s breed', { required: true, help: 'As its papers have it.' }),
  ask('long_text', 'Its story'),
  ask('choice', 'Its collar', { options: COLORS, required: true }),
  ask('choices', 'Its leashes', { options: COLORS }),
  ask('checkbox', 'I clean up behind it', { required: true }),
  ask('phone', 'Whom to call'),
  ask('url', 'Its page'),
  ask('number', 'Its weight'),
  ask('date', 'Its birthday'),
]
const ANSWERS = {
  short_text: 'Ferret',
  long_text: 'Long\nand short',
  choice: COLORS[1],
  choices: [COLORS[0], COLORS[2]],
  checkbox: true,
  phone: '+49 30 901820',
  url: 'https://example.com/dog',
  number: 12.5,
  date: '2024-02-29',
}

const DAY_MS = 86_400_000
/** Of today the first time may pass while somebody answers. */
const MONDAY = new Date(Date.now() + ((8 - new Date().getUTCDay()) % 7 || 7) * DAY_MS)
  .toISOString()
  .slice(0, 10)

async function openForm(page: Page, slug: string): Promise<void> {
  await page.goto(new URL(`/book/northwind/${slug}?date=${MONDAY}`, studio.url).href)
  const times = page.locator('a[href*="time="]')
  await times.first().click()
  await page.getByLabel('Name', { exact: true }).waitFor()
}

async function answer(page: Page): Promise<void> {
  await page.getByLabel('Your dog’s breed').fill('Ferret')
  await page.getByLabel('Its story').fill('Long\nand short')
  await page.getByLabel('Its collar').selectOption(COLORS[1]!)
  const leashes = page.getByRole('group', { name: 'Its leashes' })
  await leashes.getByLabel('Red').check()
  await leashes.getByLabel('Neither').check()
  await page.getByLabel('I clean up behind it').check()
  await page.getByLabel('Whom to call').fill('+49 30 901820')
  await page.getByLabel('Its page').fill('example.com/dog')
  await page.getByLabel('Its weight').fill('12.5')
  await page.getByLabel('Its birthday').fill('2024-02-29')
}

async function answersOf(page: Page): Promise<unknown> {
  await page.waitForURL(/\/booked\//)
  const { pathname, searchParams } = new URL(page.url())
  const path = `/v1/bookings/${pathname.split('/').at(-1)}?token=${searchParams.get('token')}`
  const booking = (await (await fetch(new URL(path, studio.url))).json()) as { answers: unknown }
  return booking.answers
}

it.each([true, false])(
  'asks the organization’s questions, also by keyboard and screen reader (script: %s)',
  async (javaScriptEnabled) => {
    const name = javaScriptEnabled ? 'questions' : 'questions-without-script'
    const { slug } = await studio.offer({
      title: 'Dog',
      slug: name,
      duration_minutes: 30,
      questions: QUESTIONS,
    })
    const { page, look, leave } = await newVisitor(browser, { javaScriptEnabled })
    await openForm(page, slug)
    await look(name)
    await page.getByLabel('Name', { exact: true }).fill('Ada')
    await page.getByLabel('Email address').fill('ada@example.com')
    await page.getByRole('button', { name: 'Confirm booking' }).click()
    const problems = page.getByRole('alert')
    await problems.waitFor()
    expect(await problems.getByRole('link').allInnerTexts()).toEqual([
      'Your dog’s breed: Answer this question.',
      'Its collar: Choose an answer.',
      'I clean up behind it: Check this box to continue.',
    ])
    await look(`${name}-missing`)
    await problems.getByRole('link', { name: 'Choose an answer.' }).click()
    const collar = page.getByLabel('Its collar')
    expect(await collar.getAttribute('aria-invalid')).toBe('true')
    await answer(page)
    await page.getByRole('button', { name: 'Confirm booking' }).click()
    expect(await answersOf(page)).toEqual(ANSWERS)
    await look(`${name}-booked`)
    await leave()
  },
)

it('keeps the answers after a change of the time, and fits a phone in Arabic', async () => {
  const { slug } = await studio.offer({
    title: 'Cat',
    slug: 'cat',
    duration_minutes: 30,
    questions: [...QUESTIONS, { ...ask('short_text', 'Supercalifragilistic'.repeat(6)), key: 'long' }],
  })
  const { page, leave } = await newVisitor(browser)
  await openForm(page, slug)
  await answer(page)
  await page.getByRole('link', { name: 'Change the time' }).click()
  await page.locator('[data-time]').last().click()
  await page.getByLabel('Its weight').waitFor()
  expect(await page.getByLabel('Its weight').inputValue()).toBe('12.5')
  expect(await page.getByLabel('Its collar').inputValue()).toBe(COLORS[1])
  expect(await page.getByLabel('Its birthday').inputValue()).toBe('2024-02-29')
  const leashes = page.getByRole('group', { name: 'Its leashes' })
  expect(await leashes.getByLabel('Red').isChecked()).toBe(true)
  expect(await leashes.getByLabel('Green').isChecked()).toBe(false)
  expect(await page.getByLabel('I clean up behind it').isChecked()).toBe(true)
  await leashes.getByLabel('Red').uncheck()
  await page.reload()
  await page.getByLabel('Its weight').waitFor()
  expect(await leashes.getByLabel('Red').isChecked()).toBe(false)
  expect(await leashes.getByLabel('Neither').isChecked()).toBe(true)
  const told = [COLORS[0], COLORS[2]].map((color) => ['answers[choices]', color!])
  await page.goto(`${page.url()}&${new URLSearchParams(told)}`)
  await page.locator('#lang').selectOption('ar')
  await page.waitForURL(/lang=ar/)
  const arabic = page.url()
  expect(new URL(arabic).searchParams.getAll('answers[choices]')).toEqual(told.map(([, color]) => color))
  await leave()
  const phone = await newVisitor(browser, { viewport: { width: 320, height: 640 }, colorScheme: 'dark' })
  await phone.page.goto(arabic)
  await phone.page.getByRole('button').first().waitFor()
  await phone.look('questions-arabic-phone')
  const sides =
    "Array.from(document.querySelectorAll('.field'), (field) => field.getBoundingClientRect().left)"
  expect(Math.min(...((await phone.page.evaluate(sides)) as number[]))).toBeGreaterThanOrEqual(0)
  await phone.leave()
})
