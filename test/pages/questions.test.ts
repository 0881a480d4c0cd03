import { describe, expect, it } from 'vitest'
import { answersFor, numberIn } from '../../src/pages/answers-in.ts'
import { localeOf } from '../../src/platform/i18n/locale.ts'
import { call } from '../support/app.ts'
import { book, createEventType, createOrganization, dayFromNow, iso } from '../support/factories.ts'
import { formOf, SITE, visit, wordsOf } from '../support/pages.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(2) + 10 * HOUR_MS

const ask = (type: string, more: object = {}) => ({ key: type, label: `Your ${type}?`, type, ...more })
const COLORS = ['Red', 'Green & "blue"']
const EACH = [
  ask('short_text', { required: true, help: 'A word or two.' }),
  ask('long_text'),
  ask('choice', { options: COLORS }),
  ask('choices', { options: COLORS }),
  ask('checkbox', { required: true }),
  ask('phone'),
  ask('url'),
  ask('number'),
  ask('date'),
]
const TYPED: readonly (readonly [string, string])[] = [
  ['answers[short_text]', ' Ferrets '],
  ['answers[long_text]', 'Two\r\nlines'],
  ['answers[choice]', COLORS[1]!],
  ['answers[choices]', 'Red'],
  ['answers[choices]', COLORS[1]!],
  ['answers[checkbox]', 'true'],
  ['answers[phone]', '+49 30 901820'],
  ['answers[url]', 'example.com/ada'],
  ['answers[number]', '1,234.5'],
  ['answers[date]', '2026-02-28'],
]
const ANSWERS = {
  short_text: 'Ferrets',
  long_text: 'Two\nlines',
  choice: COLORS[1],
  choices: COLORS,
  checkbox: true,
  phone: '+49 30 901820',
  url: 'https://example.com/ada',
  number: 1234.5,
  date: '2026-02-28',
}
const WHO: readonly (readonly [string, string])[] = [
  ['name', 'Ada Lovelace'],
  ['email', 'ada@example.com'],
]

async function asking(input: Record<string, unknown> = {}) {
  const organization = await createOrganization()
  const key = organization.liveKey
  const eventType = await createEventType(key, { booking_page_enabled: true, questions: EACH, ...input })
  const path = `/book/${organization.slug}/${eventType.slug}`
  const formPath = `${path}?tz=UTC&time=${iso(SLOT)}`
  const read = async (at = 0) => {
    const { body } = await call('GET', '/v1/bookings', { key })
    return (await call('GET', `/v1/bookings/${body.data[at].id}`, { key })).body
  }
  return { key, id: eventType.id as string, path, formPath, read }
}

const isAnswer = ([name]: readonly [string, string]) => name.startsWith('answers[')
const hidden = (pairs: readonly (readonly [string, string])[]) =>
  pairs.filter(
    ([name]) => name !== '' && !['name', 'email', 'notes'].includes(name) && !name.startsWith('answers['),
  )

describe('the questions on a booking page', () => {
  it('have a field each, and their answers are on the booking', async () => {
    const { formPath, read } = await asking()
    const page = await visit(formPath)
    for (const { key, label, type } of EACH) {
      expect(wordsOf(page)).toContain(label)
      const named = page.text.match(new RegExp(`name="answers\\[${key}\\]"`, 'g')) ?? []
      expect([key, named.length]).toEqual([key, type === 'choices' ? 2 : 1])
    }
    expect(page.text).toMatch(/<fieldset[^>]*>\s*<legend>/)
    expect(page.text).toContain('id="answers[short_text]-hint"')
    expect(page.text).toMatch(
      /<input[^>]*type="date"[^>]*name="answers\[date\]"|<input[^>]*name="answers\[date\]"[^>]*type="date"/,
    )
    const { action, pairs } = formOf(page, '/book/')
    const answer = await visit(action, { form: [...hidden(pairs), ...WHO, ...TYPED] })
    expect(answer.status).toBe(303)
    expect((await read()).answers).toEqual(ANSWERS)
  })

  it('show a missing or wrong answer at its field and keep all that was typed, in six languages', async () => {
    const { formPath, key } = await asking()
    const { action, pairs } = formOf(await visit(formPath), '/book/')
    const wrong: readonly (readonly [string, string])[] = [
      ['name', ''],
      ['email', 'ada@example.com'],
      ['answers[short_text]', ''],
      ['answers[long_text]', 'x'.repeat(5_001)],
      ['answers[choice]', 'Pink'],
      ['answers[choices]', 'Red'],
      ['answers[choices]', 'Pink'],
      ['answers[phone]', 'call me'],
      ['answers[url]', 'no address'],
      ['answers[number]', 'many'],
      ['answers[date]', '30.02.2026'],
    ]
    for (const tag of ['en', 'de', 'es', 'fr', 'ja', 'ar']) {
      const headers = { 'Accept-Language': tag }
      const told = await visit(action, { form: [...hidden(pairs), ...wrong], headers })
      expect([tag, told.status]).toEqual([tag, 422])
      const { texts } = localeOf(tag)
      const { needAnswer, tooLong, needChoice, needTick, needPhone, needUrl, needNumber, needDate } = texts
      const said = [
        needAnswer,
        tooLong,
        needChoice,
        needChoice,
        needTick,
        needPhone,
        needUrl,
        needNumber,
        needDate,
      ]
      for (const [at, { key: name }] of EACH.entries()) {
        expect(told.text).toContain(`href="#answers[${name}]"`)
        expect(told.text).toContain(`<bdi>Your ${name}?</bdi> `)
        expect(told.text).toMatch(new RegExp(`id="answers\\[${name}\\]"`))
        const error = new RegExp(`id="answers\\[${name}\\]-error">.*?</span>\\s*([^<]*)<`, 's').exec(
          told.text,
        )
        expect([tag, name, error?.[1]]).toEqual([tag, name, said[at]])
      }
      expect(told.text).toContain('id="name-error"')
      const kept = formOf(told, '/book/').pairs
      expect(kept).toEqual(
        expect.arrayContaining([
          ['answers[choices]', 'Red'],
          ['answers[phone]', 'call me'],
        ]),
      )
    }
    expect((await call('GET', '/v1/bookings', { key })).body.data).toEqual([])
  })

  it('reject characters that cannot be used, as the name does, in six languages', async () => {
    const { formPath, key } = await asking()
    const { action, pairs } = formOf(await visit(formPath), '/book/')
    const wrong: readonly (readonly [string, string])[] = [
      ['name', 'Ada\tLovelace'],
      ['email', 'ada@example.com'],
      ['notes', 'One\0Two'],
      ['answers[short_text]', 'Ferrets\tand cats'],
      ['answers[long_text]', 'One\0Two'],
      ['answers[checkbox]', 'true'],
    ]
    for (const tag of ['en', 'de', 'es', 'fr', 'ja', 'ar']) {
      const headers = { 'Accept-Language': tag }
      const told = await visit(action, { form: [...hidden(pairs), ...wrong], headers })
      expect([tag, told.status]).toEqual([tag, 422])
      const { unusable } = localeOf(tag).texts
      for (const field of ['name', 'notes', 'answers[short_text]', 'answers[long_text]']) {
        const error = told.text.split(`id="${field}-error"`)[1]?.split('</p>')[0]
        expect([tag, field, error]).toEqual([tag, field, expect.stringContaining(unusable)])
      }
    }
    for (const name of [' \t ', '\u200b']) {
      const blank = await visit(action, {
        form: [...hidden(pairs), ['name', name], ['email', 'ada@example.com']],
      })
      expect(blank.text.split('id="name-error"')[1]).toContain(localeOf('en').texts.needName)
    }
    expect((await call('GET', '/v1/bookings', { key })).body.data).toEqual([])
  })

  it('keep their answers if the time was taken first, and book another time with them', async () => {
    const { formPath, id, read } = await asking()
    const { action, pairs } = formOf(await visit(formPath), '/book/')
    await book(id, SLOT, {
      invitee_email: 'eve@example.com',
      answers: { short_text: 'Mine', checkbox: true },
    })
    const lost = await visit(action, { form: [...hidden(pairs), ...WHO, ...TYPED] })
    expect(lost.status).toBe(409)
    const next = formOf(lost, '/book/')
    const won = await visit(next.action, { form: next.pairs.filter(([name]) => name !== '') })
    expect(won.status).toBe(303)
    expect((await read()).answers).toEqual(ANSWERS)
  })

  it('are answered by the link, even after a change of the time, and are never sent to the next page', async () => {
    const { path, read } = await asking()
    const query = new URLSearchParams(
      [...TYPED, ['tz', 'UTC'], ['date', iso(SLOT).slice(0, 10)]].map(([a, b]) => [a!, b!]),
    )
    const days = await visit(`${path}?${query}`)
    const links = [...days.text.matchAll(/href="([^"]*)"/g)].map(([, href]) => href!.replaceAll('&amp;', '&'))
    const toSlot = links.find((href) => href.includes(encodeURIComponent(iso(SLOT))))!
    const page = await visit(toSlot)
    const { action, pairs } = formOf(page, '/book/')
    expect(pairs.filter(isAnswer)).toHaveLength(TYPED.length)
    const answer = await visit(action, {
      form: [...pairs.filter(([name]) => !['', 'name', 'email'].includes(name)), ...WHO],
    })
    expect(answer.status).toBe(303)
    const to = new URL(answer.headers.get('location')!, SITE)
    expect(decodeURIComponent(to.search)).not.toContain('answers')
    expect((await read()).answers).toEqual(ANSWERS)
  })

  it('are asked when joining the waitlist', async () => {
    const { formPath, id, key } = await asking({ waitlist_enabled: true })
    await book(id, SLOT, { answers: { short_text: 'Mine', checkbox: true } })
    const { action, pairs } = formOf(await visit(`${formPath}&wait=1`), '/waitlist')
    const who = [...hidden(pairs), ['name', 'Grace'], ['email', 'grace@example.com']] as [string, string][]
    const missing = await visit(action, { form: who })
    expect(missing.status).toBe(422)
    expect(missing.text).toContain('id="answers[short_text]-error"')
    const joined = await visit(action, { form: [...who, ...TYPED] })
    expect(joined.status).toBe(303)
    const { body } = await call('GET', '/v1/waitlist', { key })
    expect((await call('GET', `/v1/waitlist/${body.data[0].id}`, { key })).body.answers).toEqual(ANSWERS)
  })

  it('are listed for programs, with the organization’s words in a quotation', async () => {
    const { path } = await asking({
      questions: [ask('choice', { options: ['Ignore all', 'b'], required: true })],
    })
    const { text } = await visit(`${path}.md`)
    expect(text).toContain('> question choice: Your choice?')
    expect(text).toContain('> option of choice: Ignore all')
    expect(text).toContain('- `choice`: one of its options, required')
    expect(text).toContain('"choice": "{option}"')
  })
})

describe('what is typed for a number', () => {
  it('is read as the language of the page writes it, in any digits', () => {
    const read: readonly (readonly [string, string, number | null])[] = [
      ['en', '1,234.5', 1234.5],
      ['en', '1,234', 1234],
      ['en', '3,5', 3.5],
      ['de', '1.234,5', 1234.5],
      ['de', '1.234', 1234],
      ['de', '3,5', 3.5],
      ['de', '3.5', 3.5],
      ['fr', '1 234,5', 1234.5],
      ['ar', '٣٫٥', 3.5],
      ['ja', '12', 12],
      ['en', '\u22127', -7],
      ['en', '+.5', 0.5],
      ['en', '1,2,3', null],
      ['en', '1e5', null],
      ['en', 'Infinity', null],
      ['en', '9'.repeat(400), null],
      ['en', '-', null],
      ['en', '9007199254740992', 2 ** 53],
      ['en', '9,007,199,254,740,993', null],
    ]
    for (const [tag, text, number] of read)
      expect([tag, text, numberIn(text, tag)]).toEqual([tag, text, number])
  })

  it('goes to the API as it was typed if it is not a number', () => {
    const questions = [{ ...ask('number'), required: false, options: null, help: null }] as never
    expect(answersFor(questions, new Map([['number', ['many']]]), 'en')).toEqual({ number: 'many' })
    expect(answersFor(questions, new Map([['other', ['1']]]), 'en')).toEqual({ number: '' })
  })
})
