import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { call, callAsService } from '../support/app.ts'
import { book, createEventType, createOrganization, dateOf, dayFromNow, iso } from '../support/factories.ts'
import { addHosts } from '../support/hosts.ts'
import { formOf, linksOf, SITE, visit, wordsOf } from '../support/pages.ts'
import { connectAccount } from '../support/payments.ts'

const HOUR_MS = 3_600_000
const DAY = dayFromNow(3)
const SLOT = DAY + 10 * HOUR_MS

async function setUp(input: Record<string, unknown> = {}) {
  const organization = await createOrganization()
  const eventType = await createEventType(organization.liveKey, { booking_page_enabled: true, ...input })
  const path = `/book/${organization.slug}/${eventType.slug}`
  return { organization, eventType, path, formPath: `${path}?tz=UTC&time=${iso(SLOT)}` }
}

async function bookByForm(formPath: string, fields: Record<string, string> = {}) {
  const form = formOf(await visit(formPath), '/book/')
  const filled = { ...form.fields, name: 'Ada', email: 'ada@example.com', ...fields }
  return { form, answer: await visit(form.action, { form: filled }) }
}

function sent({ headers }: { readonly headers: Headers }): URL {
  return new URL(headers.get('location')!, SITE)
}

describe('a time that cannot be chosen', () => {
  it('is shown as booked by the visitor if the response was lost and the form has changed since', async () => {
    const { formPath } = await setUp()
    const { form } = await bookByForm(formPath)
    const send = (fields: Record<string, string>) =>
      visit(form.action, { form: { ...form.fields, name: 'Adah', email: 'ada@example.com', ...fields } })
    const own = await send({})
    expect([own.status, wordsOf(own)]).toEqual([409, expect.stringContaining('You have booked')])
    const booked = linksOf(own).find((link) => link.includes('/booked/'))!
    expect(wordsOf(await visit(booked))).toContain('You are booked')
    const stranger = await send({ key: 'another' })
    expect([stranger.status, wordsOf(stranger)]).toEqual([409, expect.stringContaining('was just booked')])
    expect(stranger.text).not.toContain('/booked/')
  })

  it('is shown as taken, as never offered, or as booked by the visitor', async () => {
    const { eventType, path, formPath } = await setUp()
    for (const time of [SLOT + 60_000, DAY - 30 * 24 * HOUR_MS]) {
      const page = await visit(`${path}?tz=UTC&time=${iso(time)}`)
      expect([page.status, wordsOf(page)]).toEqual([200, expect.stringContaining('is not available')])
      expect(wordsOf(page)).not.toContain('was just booked')
    }
    const { answer } = await bookByForm(formPath)
    const stranger = await visit(formPath)
    expect(wordsOf(stranger)).toContain('was just booked')
    const [cookie] = answer.headers.getSetCookie().filter((one) => one.startsWith('hf_booked='))
    expect(cookie).toMatch(new RegExp(`Path=${path}; .*HttpOnly; SameSite=Lax; Secure`))
    const back = await visit(formPath, { headers: { Cookie: cookie!.split(';')[0]! } })
    expect(wordsOf(back)).toMatch(/You have booked .*10:00 AM/)
    const own = linksOf(back).find((href) => href.includes('/booked/'))!
    expect(wordsOf(await visit(own))).toContain('You are booked')
    await book(eventType.id, SLOT + HOUR_MS)
    const other = await visit(`${path}?tz=UTC&time=${iso(SLOT + HOUR_MS)}`, {
      headers: { Cookie: cookie!.split(';')[0]! },
    })
    expect(wordsOf(other)).toContain('was just booked')
  })

  it('is not shown as taken if it is no longer within the bookable days', async () => {
    const { organization, eventType, formPath } = await setUp()
    const key = organization.liveKey
    const form = formOf(await visit(formPath), '/book/')
    const body = { bookable_until: dateOf(DAY - 24 * HOUR_MS) }
    await call('PATCH', `/v1/event-types/${eventType.id}`, { key, body })
    const late = await visit(form.action, { form: { ...form.fields, name: 'Ada', email: 'ada@example.com' } })
    expect([late.status, wordsOf(late)]).toEqual([409, expect.stringContaining('is not available')])
    expect(wordsOf(await visit(formPath))).not.toContain('was just booked')
  })

  it('is shown the same way when its form is sent, with a link to continue', async () => {
    const { formPath } = await setUp()
    const form = formOf(await visit(formPath), '/book/')
    const filled = { ...form.fields, name: 'Ada', email: 'ada@example.com' }
    const never = await visit(form.action, { form: { ...filled, start_time: iso(SLOT + 60_000) } })
    expect([never.status, wordsOf(never)]).toEqual([409, expect.stringContaining('is not available')])
    expect(wordsOf(never)).toContain('Change the time')
  })

  it('is still open when the visitor is over their booking limit or wants too many seats, and says so', async () => {
    const one = await setUp({ invitee_limit: 1, max_attendees: 3 })
    await book(one.eventType.id, SLOT + HOUR_MS, { invitee_email: 'ada@example.com' })
    const group = await setUp({ max_attendees: 3 })
    await book(group.eventType.id, SLOT)
    for (const [{ formPath }, said] of [
      [one, 'has reached its booking limit'],
      [group, 'There are not enough seats.'],
    ] as const) {
      const { answer } = await bookByForm(formPath, { guests: 'bob@example.com\ncarl@example.com' })
      expect([answer.status, wordsOf(answer)]).toEqual([409, expect.stringContaining(said)])
      expect(wordsOf(answer)).not.toContain('was just booked')
      expect(formOf(answer, '/book/').fields.start_time).toBe(iso(SLOT))
    }
  })
})

it('a page offers a way on when the very last time was taken', async () => {
  const organization = await createOrganization()
  const eventType = await createEventType(organization.liveKey, { booking_page_enabled: true }, [])
  await call('PUT', `/v1/event-types/${eventType.id}/availability`, {
    key: organization.liveKey,
    body: {
      rules: [],
      overrides: [{ date: dateOf(DAY), intervals: [{ start_time: '10:00', end_time: '10:30' }] }],
    },
  })
  const path = `/book/${organization.slug}/${eventType.slug}`
  const form = formOf(await visit(`${path}?tz=UTC&time=${iso(SLOT)}`), '/book/')
  await book(eventType.id, SLOT)
  const lost = await visit(form.action, { form: { ...form.fields, name: 'Ada', email: 'ada@example.com' } })
  expect(lost.status).toBe(409)
  expect(lost.text).toMatch(/<a class="button"[^>]*href="\/book\/[^"]*"[^>]*>Choose another time/)
  expect(wordsOf(lost)).toContain('Your details are kept.')
})

describe('a paid event type', () => {
  it('offers no times while no payment can be accepted, and says so at once', async () => {
    const { organization, eventType, path, formPath } = await setUp()
    await env.DB.prepare('UPDATE event_types SET price_amount = 4900 WHERE id = ?').bind(eventType.id).run()
    for (const at of [path, formPath]) {
      const page = await visit(at)
      expect(page.status).toBe(200)
      expect(wordsOf(page)).toContain('cannot take payments at the moment')
      expect(page.text).not.toMatch(/class="time"|<form method="post"/)
      expect(linksOf(page)).toContain(
        `/book/${organization.slug}?tz=UTC`.replace(at === path ? '?tz=UTC' : '', ''),
      )
    }
  })
})

it('a form says that the price has changed since it was shown, and books at the new one', async () => {
  const organization = await createOrganization()
  await connectAccount(organization)
  const key = organization.liveKey
  const eventType = await createEventType(key, { booking_page_enabled: true, price_amount: 4900 })
  const path = `/book/${organization.slug}/${eventType.slug}?tz=UTC&time=${iso(SLOT)}`
  const form = formOf(await visit(path), '/book/')
  expect(form.fields).toMatchObject({ expected_amount: '4900', expected_currency: 'usd' })
  await call('PATCH', `/v1/event-types/${eventType.id}`, { key, body: { price_amount: null } })
  const filled = { name: 'Ada', email: 'ada@example.com' }
  const changed = await visit(form.action, { form: { ...form.fields, ...filled } })
  expect([changed.status, wordsOf(changed)]).toEqual([409, expect.stringContaining('The price has changed')])
  const again = formOf(changed, '/book/')
  expect(again.fields).toMatchObject({ expected_amount: '0', name: 'Ada' })
  expect((await visit(again.action, { form: { ...again.fields, ...filled } })).status).toBe(303)
})

describe('an answer to a form', () => {
  it('stays where it is, whatever zone the browser is in', async () => {
    const { path } = await setUp()
    const page = await visit(`${path}?time=${iso(SLOT)}`)
    expect(page.text).toContain('data-zone-is-guess="shown"')
    const form = formOf(page, '/book/')
    const answer = await visit(form.action, { form: { ...form.fields, name: 'Ada', email: '' } })
    expect(answer.text).toContain('data-zone="')
    expect(answer.text).not.toContain('data-zone-is-guess')
  })
})

describe('a meeting on site', () => {
  const onSite = { timezone: 'Europe/Berlin', location: 'Oranienstraße 12, Berlin' }

  it('is shown by the clock of the place, with the own time beside it', async () => {
    const { path } = await setUp(onSite)
    const headers = { Cookie: 'hf_tz=America%2FNew_York', 'Accept-Language': 'en-US' }
    const page = await visit(`${path}?time=${iso(SLOT)}`, { headers })
    expect(page.text).toContain('data-zone="Europe/Berlin"')
    expect(wordsOf(page)).toMatch(/1[12]:00 AM – 1[12]:30 (AM|PM)/)
    expect(wordsOf(page)).toMatch(/Your time: .* [56]:00 AM – [56]:30 AM E[SD]T/)
    const form = formOf(page, '/book/')
    expect(form.fields.timezone).toBe('America/New_York')
    const filled = { ...form.fields, name: 'Ada', email: 'ada@example.com' }
    const booked = await visit(form.action, { form: filled, headers })
    const shown = wordsOf(await visit(sent(booked).href, { headers }))
    expect(shown).toMatch(/Your time: .* E[SD]T/)
    const chosen = await visit(`${path}?tz=Asia/Tokyo&time=${iso(SLOT + HOUR_MS)}`, { headers })
    expect(wordsOf(chosen)).toMatch(/Local time there: .*/)
  })

  it('is moved by the clock that was chosen, and by no other', async () => {
    const { eventType } = await setUp(onSite)
    const { id, cancel_token: token } = (await book(eventType.id, SLOT)).body
    const move = `/bookings/${id}/reschedule?token=${token}&tz=Asia/Tokyo&time=${iso(SLOT + HOUR_MS)}`
    const words = wordsOf(await visit(move))
    expect(words).toMatch(
      /When 8:00 PM – 8:30 PM Local time there: [^(]*12:00 PM – 12:30 PM .*\(Asia\/Tokyo\)/,
    )
  })

  it('says nothing twice where both clocks show the same, nor of calls', async () => {
    const { path } = await setUp(onSite)
    const here = await visit(`${path}?time=${iso(SLOT)}`, { headers: { Cookie: 'hf_tz=Europe%2FVienna' } })
    expect(wordsOf(here)).not.toMatch(/Your time|Local time there/)
    const call = await setUp({
      timezone: 'Europe/Berlin',
      conferencing_provider: 'custom',
      custom_meeting_url: 'https://meet.example.com/x',
    })
    const page = await visit(`${call.path}?time=${iso(SLOT)}`, { headers: { Cookie: 'hf_tz=Asia%2FTokyo' } })
    expect(page.text).toContain('data-zone="Asia/Tokyo"')
    expect(wordsOf(page)).not.toMatch(/Your time|Local time there/)
  })

  it('has a map if the place is an address', async () => {
    const maps = async (input: object) =>
      linksOf(await visit((await setUp({ ...input })).path)).filter((href) =>
        href.includes('google.com/maps'),
      )
    expect(await maps(onSite)).toEqual([
      'https://www.google.com/maps/search/?api=1&query=Oranienstra%C3%9Fe+12%2C+Berlin',
    ])
    expect(await maps({ location: 'Room 4' })).toEqual([])
    expect(await maps({ location: 'https://example.com/room-4, second floor' })).toEqual([])
  })
})

describe('what the organization writes', () => {
  it('has its addresses as links that send no referrer', async () => {
    const { path } = await setUp({
      description:
        'See https://example.com/a?b=1&c=2). Or javascript:alert(1) or http://x.example, or ftp://y.example.',
    })
    const { text } = await visit(path)
    const outward = [...text.matchAll(/<a href="([^"]*)" target="_blank" rel="([^"]*)"/g)].map(
      ([, ...one]) => one,
    )
    expect(outward).toEqual([
      ['https://example.com/a?b=1&amp;c=2', 'noopener noreferrer nofollow ugc'],
      ['http://x.example', 'noopener noreferrer nofollow ugc'],
    ])
  })

  it('is known to previews and search engines by its whole address', async () => {
    const { path } = await setUp({ title: 'Intro', description: 'About "it"' })
    const { text } = await visit(`${path}?date=${dateOf(DAY)}`)
    const url = new URL(path, env.PUBLIC_URL).href
    expect(text).toContain(`<link rel="canonical" href="${url}"`)
    expect(text).toContain(`<meta property="og:url" content="${url}"`)
    expect(text).toMatch(/<meta property="og:title" content="Intro · Acme/)
    expect(text).toContain('<meta property="og:description" content="About &quot;it&quot;"')
  })

  it('is cut in previews to what they show of a long description, in whole characters', async () => {
    const { liveKey, slug } = await createOrganization()
    const description = `One\nline. ${'😀'.repeat(200)}`
    await createEventType(liveKey, { slug: 'long', description, booking_page_enabled: true })
    const { text } = await visit(`/book/${slug}/long`)
    for (const name of ['name="description"', 'property="og:description"']) {
      expect(text).toMatch(new RegExp(`<meta ${name} content="One line\\. (😀){94}…"`, 'u'))
    }
  })

  it('names its hosts and shows their pictures, and after booking whom it is with, and nothing else of them', async () => {
    const organization = await createOrganization({ ownerEmail: 'owner@example.com' })
    const { liveKey, slug } = organization
    const input = { slug: 'hosted', booking_page_enabled: true, assignment_strategy: 'round_robin' }
    const { id } = await createEventType(liveKey, input)
    const hosts = await addHosts(organization, liveKey, id, 3)
    const picture = 'https://cdn.example.com/ada.png'
    const profiles = [{ name: 'Ada <b>L</b>', avatar_url: picture }, { name: 'Grace H' }, {}]
    for (const [at, body] of profiles.entries()) {
      await call('PATCH', `/v1/organizations/${organization.id}/members/${hosts[at]}`, { key: liveKey, body })
    }
    const listing = await visit(`/book/${slug}`)
    expect(wordsOf(listing)).toMatch(/With Ada <b>L<\/b> ?, Grace H/)
    const page = await visit(`/book/${slug}/hosted`)
    expect(wordsOf(page)).toMatch(/Ada <b>L<\/b> ?, Grace H/)
    expect(page.text).toMatch(new RegExp(`<img src="${picture}" alt(="")? `))
    expect(page.headers.get('Content-Security-Policy')).toContain("img-src 'self' https:")
    const { body: booking } = await book(id, SLOT, {})
    const chosen = profiles[hosts.indexOf(booking.assigned_host.member_id)]?.name
    const booked = await visit(`/book/${slug}/hosted/booked/${booking.id}?token=${booking.cancel_token}`)
    for (const { name } of profiles) {
      if (name !== undefined) expect([name, wordsOf(booked).includes(name)]).toEqual([name, name === chosen])
    }
    for (const { text } of [listing, page, booked])
      expect(text).not.toMatch(/@example\.com(?<!ada@example\.com)/)
  })

  it('is listed under its headings, in its order', async () => {
    const { liveKey, slug } = await createOrganization()
    for (const [title, group, position] of [
      ['One', 'Calls', 2],
      ['Two', 'Calls', 1],
      ['Three', null, 9],
      ['Four', 'Classes', 3],
    ] as const) {
      await createEventType(liveKey, { title, group, position, booking_page_enabled: true })
    }
    const page = await visit(`/book/${slug}`)
    expect([...page.text.matchAll(/<h[23]>(?:<a[^>]*>)?<bdi>([^<]+)/g)].map(([, text]) => text)).toEqual([
      'Three',
      'Calls',
      'Two',
      'One',
      'Classes',
      'Four',
    ])
  })

  it('links its imprint and its privacy policy from every page of it', async () => {
    const { organization, eventType, path } = await setUp()
    const links = { imprint_url: 'https://example.com/imprint', privacy_url: 'https://example.com/privacy' }
    await call('PATCH', '/v1/branding', {
      key: organization.liveKey,
      body: {
        ...links,
        accent_color: '#0f766e',
        logo_url: 'https://example.com/l.png',
        logo_dark_url: 'https://example.com/d.png',
      },
    })
    const { body } = await book(eventType.id, SLOT)
    for (const at of [
      `/book/${organization.slug}`,
      path,
      `/bookings/${body.id}?token=${body.cancel_token}`,
    ]) {
      const page = await visit(at)
      expect(linksOf(page)).toEqual(expect.arrayContaining(Object.values(links)))
      expect(page.text).toContain('.tint-0f766e{')
      expect(page.text).toContain(
        '<source media="(prefers-color-scheme: dark)" srcset="https://example.com/d.png"',
      )
    }
    const dark = await visit(`${path}?theme=dark`)
    expect(dark.text).toMatch(/<html[^>]*data-theme="dark"/)
    expect(dark.text).toContain('src="https://example.com/d.png"')
  })
})

describe('the data in a link', () => {
  it('is in the form, and on the booking', async () => {
    const { organization, path } = await setUp({ max_attendees: 5 })
    const known =
      'name=Ada%20L&email=ada%40example.com&notes=Hello&guests=eve%40example.com&metadata%5Bcampaign%5D=spring'
    const day = await visit(`${path}?tz=UTC&date=${dateOf(DAY)}&${known}`)
    const toTime = linksOf(day).find((href) => href.includes(encodeURIComponent(iso(SLOT))))!
    const form = formOf(await visit(toTime), '/book/')
    expect(form.fields).toMatchObject({
      name: 'Ada L',
      email: 'ada@example.com',
      notes: 'Hello',
      guests: 'eve@example.com',
    })
    const answer = await visit(form.action, { form: form.fields })
    expect(answer.status).toBe(303)
    expect([...sent(answer).searchParams.keys()]).toEqual(['token', 'tz', 'booked'])
    const { body } = await call('GET', '/v1/bookings', { key: organization.liveKey })
    expect(body.data[0]).toMatchObject({
      invitee_name: 'Ada L',
      metadata: { campaign: 'spring' },
      attendee_count: 2,
    })
  })

  it('is cut to what a booking can hold', async () => {
    const { path } = await setUp()
    const many = Array.from({ length: 60 }, (_, at) => `metadata[k${at}]=${'x'.repeat(600)}`).join('&')
    const { answer } = await bookByForm(`${path}?tz=UTC&time=${iso(SLOT)}&${many}&name=${'n'.repeat(900)}`)
    expect(answer.status).toBe(303)
  })

  it('shows what is wrong with guests', async () => {
    const { formPath } = await setUp({ max_attendees: 2 })
    for (const [guests, said] of [
      ['nobody', 'one email address per line'],
      ['eve@example.com\nEve@example.com', 'entered only once'],
      ['a@example.com\nb@example.com', 'not enough seats'],
    ] as const) {
      const { answer } = await bookByForm(formPath, { guests })
      expect([guests, answer.status, wordsOf(answer)]).toEqual([guests, 422, expect.stringContaining(said)])
      expect(answer.text).toContain('id="guests-error"')
    }
    expect((await visit((await setUp()).formPath)).text).not.toContain('name="guests"')
  })
})

describe('the page after booking', () => {
  it('redirects to the address of the event type, without a token, and only once', async () => {
    const organization = await createOrganization()
    const { hostname } = new URL('https://thanks.example.com')
    await callAsService('PATCH', `/v1/organizations/${organization.id}`, {
      body: { allowed_redirect_hosts: [hostname] },
    })
    const eventType = await createEventType(organization.liveKey, {
      booking_page_enabled: true,
      redirect_url: `https://${hostname}/done?from=holdfast`,
    })
    const formPath = `/book/${organization.slug}/${eventType.slug}?tz=UTC&time=${iso(SLOT)}`
    const { answer } = await bookByForm(formPath)
    const page = await visit(sent(answer).href)
    const [, to] = /http-equiv="refresh" content="0;url=([^"]*)"/.exec(page.text)!
    const target = new URL(to!.replaceAll('&amp;', '&'))
    expect(target.origin + target.pathname).toBe(`https://${hostname}/done`)
    expect(Object.fromEntries(target.searchParams)).toEqual({
      from: 'holdfast',
      booking_id: expect.any(String),
      event_type_id: eventType.id,
      status: 'confirmed',
      start_time: iso(SLOT),
    })
    const later = sent(answer)
    later.searchParams.delete('booked')
    expect((await visit(later.href)).text).not.toContain('http-equiv="refresh"')
    const framed = await visit(`${sent(answer).href}&embed=1`)
    expect(framed.text).not.toContain('http-equiv="refresh"')
    expect(framed.text).toContain('data-leave="https://thanks.example.com/done')
    await callAsService('PATCH', `/v1/organizations/${organization.id}`, {
      body: { allowed_redirect_hosts: ['elsewhere.example.com'] },
    })
    expect((await visit(sent(answer).href)).text).not.toContain('thanks.example.com')
  })

  it('adds the booking to three calendars by one click each', async () => {
    const { answer } = await bookByForm((await setUp({ location: 'Room 4' })).formPath)
    const links = linksOf(await visit(sent(answer).href))
    for (const host of ['calendar.google.com', 'outlook.live.com', 'outlook.office.com']) {
      const link = new URL(links.find((href) => href.includes(host))!)
      expect(link.search).toContain('Room')
      if (host !== 'calendar.google.com') expect(link.href).not.toContain('+')
    }
  })
})

describe('the month', () => {
  it('shows full days, times by part of the day, and the chosen clock', async () => {
    const { eventType, path } = await setUp({ waitlist_enabled: true, duration_minutes: 480 })
    const day = `${path}?tz=UTC&date=${dateOf(DAY)}`
    for (const at of [0, 8, 16]) await book(eventType.id, DAY + at * HOUR_MS)
    const full = await visit(day)
    expect(full.text).toMatch(/data-day="[^"]*"[^>]*>(?:(?!<\/a>).)*full, with a waitlist/)
    const english = await visit(`${(await setUp()).path}?tz=UTC&date=${dateOf(DAY)}`, {
      headers: { 'Accept-Language': 'en-US' },
    })
    expect(wordsOf(english)).toMatch(/Morning .*12:00 AM.* Afternoon 12:00 PM.* Evening 5:00 PM/)
    const other = await visit(`${path}?tz=UTC&clock=24&date=${dateOf(DAY)}`, {
      headers: { 'Accept-Language': 'en-US' },
    })
    expect(wordsOf(other)).toContain('16:00')
    expect(other.headers.getSetCookie().join()).toContain('hf_clock=24')
  })

  it('is small', async () => {
    const { path } = await setUp({ duration_minutes: 15 })
    const { text } = await visit(`${path}?tz=UTC&month=${dateOf(dayFromNow(40)).slice(0, 7)}`)
    const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))
    const { byteLength } = await new Response(stream).arrayBuffer()
    expect(byteLength).toBeLessThan(16_000)
  })
})
