import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../src/platform/i18n/tags.ts'
import { call } from '../support/app.ts'
import {
  book,
  bookAsAnother,
  createEventType,
  createOrganization,
  dateOf,
  dayFromNow,
  iso,
  type Rule,
} from '../support/factories.ts'
import { addHosts } from '../support/hosts.ts'
import { formOf, linksOf, visit, wordsOf } from '../support/pages.ts'

const HOUR_MS = 3_600_000
const DAY = dayFromNow(3)
const NINE = DAY + 9 * HOUR_MS
const MORNING: readonly Rule[] = [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
  day_of_week,
  start_time: '09:00',
  end_time: '11:00',
}))
const WHO = { name: 'Ada Lovelace', email: 'ada@example.com' }
const FULL_FORM = 'tz=UTC&lang=en'

/** Two hosts: Grace, and one without a name. */
async function withHosts(host_choice: string, input: Record<string, unknown> = {}) {
  const organization = await createOrganization()
  const key = organization.liveKey
  const shared = { assignment_strategy: 'round_robin', booking_page_enabled: true, duration_minutes: 60 }
  const { id, slug } = await createEventType(key, { ...shared, host_choice, ...input }, MORNING)
  const [grace, nameless] = (await addHosts(organization, key, id, 2)) as [string, string]
  const profile = { name: 'Grace <H>', avatar_url: 'https://cdn.example.com/grace.png' }
  await call('PATCH', `/v1/organizations/${organization.id}/members/${grace}`, { key, body: profile })
  const path = `/book/${organization.slug}/${slug}`
  const read = async (booking: string) => (await call('GET', `/v1/bookings/${booking}`, { key })).body
  const page = (more = '') => visit(`${path}?date=${dateOf(DAY)}&${FULL_FORM}${more}`)
  const formFor = (start: number, more = '') =>
    visit(`${path}?time=${encodeURIComponent(iso(start))}&${FULL_FORM}${more}`)
  return { organization, key, id: id as string, path, grace, nameless, page, formFor, read }
}

function timesOf(page: Awaited<ReturnType<typeof visit>>): string[] {
  return linksOf(page).flatMap((link) => new URL(link, 'https://x.test').searchParams.get('time') ?? [])
}

function membersOf(page: Awaited<ReturnType<typeof visit>>): (string | null)[] {
  const nav = /<nav[^>]*aria-labelledby="hosts"[^>]*>([\s\S]*?)<\/nav>/.exec(page.text)?.[1] ?? ''
  return linksOf({ ...page, text: nav }).map((link) =>
    new URL(link, 'https://x.test').searchParams.get('member'),
  )
}

const idOf = (location: string | null) => /\/booked\/([^?]+)/.exec(location ?? '')![1]!

describe('the choice of a host', () => {
  it('is absent unless the event type has it, and if all hosts take part', async () => {
    const without = await withHosts('none')
    expect(membersOf(await without.page())).toEqual([])
    const { page, formFor } = await withHosts('required', { assignment_strategy: 'none' })
    expect(membersOf(await page())).toEqual([])
    expect(formOf(await formFor(NINE), '/book/').fields.member).toBeUndefined()
  })

  it('comes before the times if it is required, and is kept through day, time, form and booking', async () => {
    const { page, grace, nameless, formFor, read, path } = await withHosts('required')
    const first = await page()
    expect(membersOf(first)).toEqual([grace, nameless])
    expect(timesOf(first)).toEqual([])
    expect(first.text).toMatch(
      /<a [^>]*><span class="host"><img src="https:\/\/cdn\.example\.com\/grace\.png" alt(="")? /,
    )
    expect(wordsOf(first)).toContain('Grace <H>')
    expect(wordsOf(first)).toContain('Host 2')
    expect(membersOf(await formFor(NINE))).toEqual([grace, nameless])
    const chosen = await page(`&member=${nameless}`)
    expect(chosen.text).toMatch(new RegExp(`member=${nameless}[^>]*aria-current="true"`))
    const link = linksOf(chosen).find((one) => one.includes('time='))!
    expect(link).toContain(`member=${nameless}`)
    const months = linksOf(chosen).filter((one) => one.includes('month='))
    expect(months.every((one) => one.includes(`member=${nameless}`))).toBe(true)
    const form = formOf(await visit(link), path)
    expect(form.fields.member).toBe(nameless)
    const refused = await visit(form.action, { form: { ...form.fields, ...WHO, name: '' } })
    expect(refused.status).toBe(422)
    const again = formOf(refused, path)
    expect(again.fields.member).toBe(nameless)
    const booked = await visit(again.action, { form: { ...again.fields, ...WHO } })
    expect(booked.status).toBe(303)
    const record = await read(idOf(booked.headers.get('location')))
    expect(record.assigned_host.member_id).toBe(nameless)
    expect(booked.headers.get('location')).not.toContain('member=')
  })

  it('is anyone at first if it is optional, and shows only the times of a chosen host', async () => {
    const { page, grace, nameless, id } = await withHosts('optional')
    await book(id, NINE, { member_id: grace })
    const anyone = await page()
    expect(membersOf(anyone)).toEqual([null, grace, nameless])
    expect(wordsOf(anyone)).toContain('Anyone')
    expect(timesOf(anyone)).toEqual([iso(NINE), iso(NINE + HOUR_MS)])
    expect(timesOf(await page(`&member=${grace}`))).toEqual([iso(NINE + HOUR_MS)])
    expect(timesOf(await page(`&member=${nameless}`))).toHaveLength(2)
    expect(timesOf(await page('&member=nobody'))).toHaveLength(2)
  })

  it('is asked for again, with what was typed, if the host has left or was never chosen', async () => {
    const { organization, key, path, grace, nameless, formFor, id } = await withHosts('optional')
    const form = formOf(await formFor(NINE, `&member=${grace}`), path)
    const { body: hosts } = await call('GET', `/v1/event-types/${id}/hosts`, { key })
    const [kept] = await addHosts(organization, key, id, 1)
    const host = hosts.data.find((one: any) => one.member_id === grace)
    await call('DELETE', `/v1/event-types/${id}/hosts/${host.id}`, { key })
    const refused = await visit(form.action, { form: { ...form.fields, ...WHO } })
    expect(refused.status).toBe(422)
    expect(wordsOf(refused)).toContain('This host can no longer be chosen')
    for (const one of [nameless, kept])
      expect(refused.text).toMatch(new RegExp(`name="member" value="${one}"`))
    const again = formOf(refused, path)
    expect(again.fields).toMatchObject({ ...WHO, member: '', start_time: iso(NINE) })
    await call('PATCH', `/v1/event-types/${id}`, { key, body: { host_choice: 'required' } })
    const unchosen = await visit(again.action, { form: again.fields })
    expect([unchosen.status, wordsOf(unchosen).includes('Choose a host')]).toEqual([422, true])
    const last = formOf(unchosen, path)
    expect(last.fields.member).toBe(nameless)
    expect((await visit(last.action, { form: last.fields })).status).toBe(303)
  })

  it('offers the waitlist only of times when nobody is free, and keeps the host in its links', async () => {
    const { page, formFor, grace, nameless, id, path } = await withHosts('optional', {
      waitlist_enabled: true,
    })
    await book(id, NINE, { member_id: grace })
    const mine = `&member=${grace}`
    expect(timesOf(await page(mine))).toEqual([iso(NINE + HOUR_MS)])
    await bookAsAnother(id, NINE, { member_id: nameless })
    expect(timesOf(await page(mine))).toEqual([iso(NINE), iso(NINE + HOUR_MS)])
    const form = await formFor(NINE, mine)
    expect(wordsOf(form)).toContain('The booking is with any of the hosts.')
    const wait = formOf(form, `${path}/waitlist`)
    expect(wait.action).toContain(`member=${grace}`)
    const refused = await visit(wait.action, { form: { ...wait.fields, ...WHO, name: '' } })
    expect(refused.status).toBe(422)
    expect(linksOf(refused).some((link) => link.includes(`member=${grace}`))).toBe(true)
    expect((await visit(wait.action, { form: { ...wait.fields, ...WHO } })).status).toBe(303)
  })

  it('is in the Markdown version of the page in every language', async () => {
    const { path, grace, nameless } = await withHosts('required')
    for (const language of LANGUAGES) {
      const { text } = await visit(`${path}.md?lang=${language}`)
      expect(text).toContain(`&member_id=${grace}`)
      expect(text).toContain(`"member_id": "${grace}"`)
      expect(text).toContain(`- \`${nameless}\``)
      expect(text).toContain(`> host ${grace}: Grace \\<H\\>`)
      expect(text).not.toContain('undefined')
    }
  })
})

describe('the page that moves a booking', () => {
  it('offers the hosts, keeps one that was chosen, and hands the booking to another at the same time', async () => {
    const { id, grace, nameless, read } = await withHosts('optional')
    const { body: mine } = await book(id, NINE, { member_id: grace })
    const at = `/bookings/${mine.id}/reschedule?token=${mine.cancel_token}&date=${dateOf(DAY)}&${FULL_FORM}`
    const first = await visit(at)
    expect(membersOf(first)).toEqual([grace, nameless])
    expect(first.text).toMatch(new RegExp(`member=${grace}[^>]*aria-current="true"`))
    expect(timesOf(first)).toEqual([iso(NINE + HOUR_MS)])
    const other = await visit(`${at}&member=${nameless}`)
    expect(timesOf(other)).toEqual([iso(NINE), iso(NINE + HOUR_MS)])
    const link = linksOf(other).find((one) => one.includes('time='))!
    const confirm = await visit(link)
    expect(wordsOf(confirm)).toContain('Host 2')
    const form = formOf(confirm, '/reschedule')
    expect(form.fields.member).toBe(nameless)
    expect((await visit(form.action, { form: form.fields })).status).toBe(303)
    expect(await read(mine.id)).toMatchObject({
      start_time: iso(NINE),
      assigned_host: { member_id: nameless },
    })
  })

  it('shows only the times of a chosen host, even if invitees choose none', async () => {
    const { id, key, grace, nameless } = await withHosts('none')
    const body = { event_type_id: id, invitee_name: 'Ada', member_id: grace }
    const byKey = (start: number, invitee_email: string) =>
      call('POST', '/v1/bookings', { key, body: { ...body, start_time: iso(start), invitee_email } })
    const { body: mine } = await byKey(NINE, 'ada@example.com')
    await byKey(NINE + HOUR_MS, 'other@example.com')
    const page = await visit(
      `/bookings/${mine.id}/reschedule?token=${mine.cancel_token}&date=${dateOf(DAY)}&member=${nameless}&${FULL_FORM}`,
    )
    expect(membersOf(page)).toEqual([])
    expect(timesOf(page)).not.toContain(iso(NINE + HOUR_MS))
  })

  it('asks again for a host who has left in the meantime', async () => {
    const { id, key, grace, nameless } = await withHosts('optional')
    const { body: mine } = await book(id, NINE, { member_id: grace })
    const at = `/bookings/${mine.id}/reschedule?token=${mine.cancel_token}&${FULL_FORM}`
    const form = formOf(
      await visit(`${at}&member=${nameless}&time=${encodeURIComponent(iso(NINE + HOUR_MS))}`),
      '/reschedule',
    )
    const { body: hosts } = await call('GET', `/v1/event-types/${id}/hosts`, { key })
    const host = hosts.data.find((one: any) => one.member_id === nameless)
    await call('DELETE', `/v1/event-types/${id}/hosts/${host.id}`, { key })
    const refused = await visit(form.action, { form: form.fields })
    expect(refused.status).toBe(422)
    expect(wordsOf(refused)).toContain('This host can no longer be chosen')
  })
})
