import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { headed } from '../../src/platform/i18n/colon.ts'
import { localeOf } from '../../src/platform/i18n/locale.ts'
import { call, callAsService, type Json } from '../support/app.ts'
import { book, createEventType, createOrganization, dayFromNow, unique } from '../support/factories.ts'
import { addHost, createMember } from '../support/hosts.ts'
import { memberWithRole } from '../support/members.ts'
import { lettersTo } from '../support/outbox.ts'
import { formOf, type Visited, visit, wordsOf } from '../support/pages.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS

const LINK = /^http\S+(\/requests\/\S+)$/m

async function requested(input: Json = {}, booking: Json = {}, locale = 'en') {
  const ownerEmail = `${unique('owner')}@example.com`
  const organization = await createOrganization({ ownerEmail })
  const key = organization.testKey
  await callAsService('PATCH', `/v1/organizations/${organization.id}`, { body: { locale } })
  const eventType = await createEventType(key, { requires_approval: true, reminder_intervals: [], ...input })
  const { body } = await book(eventType.id, SLOT, booking)
  const [letter] = await lettersTo(key, ownerEmail, 1)
  const link = LINK.exec(letter!.body)![1]!
  const get = async () => (await call('GET', `/v1/bookings/${body.id}`, { key })).body
  return {
    organization,
    ownerEmail,
    key,
    eventTypeId: eventType.id as string,
    booking: body,
    letter: letter!,
    link,
    get,
  }
}

/** What of a letter looks like a button, by where it leads. */
function buttonsIn(html: string): string[] {
  return [...html.matchAll(/<a class="fill button" href="([^"]*)"/g)].map(([, url]) => url!)
}

function decide(page: Visited, answer: 'approve' | 'decline', reason?: string) {
  const { action, fields } = formOf(page, '/requests/', `value="${answer}"`)
  return visit(action, { form: { ...fields, ...(reason !== undefined && { reason }) } })
}

describe('the link in the email to approvers', () => {
  it('shows the request and decides nothing by being opened', async () => {
    const { letter, link, get, booking } = await requested(
      { max_attendees: 2, questions: [{ key: 'why', label: 'Why?', type: 'short_text', required: true }] },
      {
        notes: 'I bring the plans.',
        answers: { why: 'To build' },
        attendees: [{ name: 'Bob', email: 'bob@example.com' }],
      },
    )
    expect(letter.subject).toMatch(/^Approval needed: /)
    const screen = `/console/bookings/${booking.id}`
    expect(buttonsIn(letter.html!)).toEqual([`${env.PUBLIC_URL}${screen}`])
    expect(letter.html).toMatch(/<a class="link" href="[^"]*\/requests\/[^"]*"[^>]*>Approve or decline</)
    expect(letter.body).toContain(`Open in the console:\n${env.PUBLIC_URL}${screen}\n`)
    expect(letter.body).toContain(`Decide without signing in:\n${env.PUBLIC_URL}${link}\n`)
    expect(letter.body).not.toContain(booking.cancel_token)
    const page = await visit(link)
    expect([page.status, page.headers.get('Cache-Control')]).toEqual([200, 'no-store'])
    const words = wordsOf(page)
    for (const told of [
      'A booking needs your approval',
      'Ada',
      'ada@example.com',
      'Bob',
      'bob@example.com',
    ]) {
      expect(words).toContain(told)
    }
    for (const told of ['Intro call', 'I bring the plans.', 'Why?', 'To build', 'If nobody decides by']) {
      expect(words).toContain(told)
    }
    expect(page.text).not.toContain(booking.cancel_token)
    expect((await get()).status).toBe('pending_approval')
  })

  it('approves with a button, once, in the recipient’s name', async () => {
    const { link, get, key, booking } = await requested()
    const page = await visit(link)
    const done = await decide(page, 'approve')
    expect([done.status, done.headers.get('Location')]).toEqual([303, link])
    expect((await get()).status).toBe('confirmed')
    expect(wordsOf(await visit(link))).toContain('This request is approved')
    expect((await decide(page, 'decline')).status).toBe(409)
    expect((await decide(page, 'approve')).status).toBe(409)
    expect((await get()).status).toBe('confirmed')
    const { body } = await call('GET', `/v1/activity?resource_id=${booking.id}&action=booking.approved`, {
      key,
    })
    expect(body.data.map((entry: any) => entry.actor_type)).toEqual(['user'])
    expect(body.data[0].actor_id).not.toBe(null)
  })

  it.each([undefined, '', 'Approve', 'maybe'])(
    'decides nothing by a form that answers %s',
    async (answer) => {
      const { link, get } = await requested()
      const { action, fields } = formOf(await visit(link), '/requests/', 'value="decline"')
      const { answer: _, ...rest } = fields
      const page = await visit(action, { form: { ...rest, ...(answer !== undefined && { answer }) } })
      expect([page.status, (await get()).status]).toEqual([422, 'pending_approval'])
      expect(formOf(page, '/requests/', 'value="approve"').fields).toMatchObject({ answer: 'approve' })
    },
  )

  it('is valid for any host, even a viewer, and for no other viewer', async () => {
    const { organization, key, eventTypeId } = await requested({ assignment_strategy: 'none' })
    const [first, second, stranger] = [
      await memberWithRole(organization, 'viewer'),
      await memberWithRole(organization, 'viewer'),
      await memberWithRole(organization, 'viewer'),
    ]
    for (const host of [first, second]) await addHost(key, eventTypeId, host.id)
    const { body: meeting } = await book(eventTypeId, SLOT + HOUR_MS)
    const [letter] = await lettersTo(key, `${second.userId}@example.com`, 1)
    const link = LINK.exec(letter!.body)![1]!
    const decideAs = (userId: string, verb: string) =>
      callAsService('POST', `/v1/bookings/${meeting.id}/${verb}`, {
        headers: { 'X-Org-Id': organization.id, 'X-Service-Mode': 'test', 'X-User-Id': userId },
      })
    for (const verb of ['approve', 'decline']) {
      const { status, body } = await decideAs(stranger.userId, verb)
      expect([status, body.error.code]).toEqual([403, 'forbidden'])
    }
    expect((await decide(await visit(link), 'approve')).status).toBe(303)
    expect(wordsOf(await visit(link))).toContain('This request is approved')
    expect((await decideAs(first.userId, 'approve')).body.status).toBe('confirmed')
    expect((await decideAs(second.userId, 'decline')).status).toBe(409)
  })

  it('declines with a reason, which its invitee reads', async () => {
    const { link, get, key } = await requested()
    const page = await visit(link)
    const refused = await decide(page, 'decline', 'x'.repeat(501))
    expect([refused.status, (await get()).status]).toEqual([422, 'pending_approval'])
    expect(refused.text).toContain('id="reason-error"')
    const done = await decide(page, 'decline', 'Away\r\nthat week.')
    expect([done.status, done.headers.get('Location')]).toEqual([303, link])
    expect(await get()).toMatchObject({ status: 'cancelled', cancel_reason: 'Away\nthat week.' })
    const after = await visit(link)
    expect(wordsOf(after)).toContain('This booking is cancelled')
    expect(after.text).not.toContain('<form method="post"')
    expect((await decide(page, 'approve')).status).toBe(409)
    const letters = await lettersTo(key, 'ada@example.com', 2)
    expect(letters.at(-1)!.body).toContain('that week.')
  })

  it('says that the booking has to be paid now, if it has a price', async () => {
    const { link, get } = await requested({ price_amount: 4_900, price_currency: 'eur' })
    await decide(await visit(link), 'approve')
    expect((await get()).status).toBe('pending_payment')
    expect(wordsOf(await visit(link))).toContain('The booking is confirmed when it is paid.')
  })

  it('ends at the deadline, and with the request', async () => {
    const { link, organization, get, booking } = await requested()
    const page = await visit(link)
    const pass = (at: number) =>
      env.DB.prepare('UPDATE organizations SET sandbox_now = ? WHERE id = ?').bind(at, organization.id).run()
    await pass(SLOT)
    expect(wordsOf(await visit(link))).toContain('This request has expired')
    expect((await decide(page, 'approve')).status).toBe(409)
    expect((await get()).status).toBe('pending_approval')
    await pass(Date.now())
    await call('POST', `/v1/bookings/${booking.id}/cancel?token=${booking.cancel_token}`)
    expect(wordsOf(await visit(link))).toContain('This booking is cancelled')
    expect((await decide(page, 'approve')).status).toBe(409)
  })

  it('is nobody else’s: neither the invitee’s token, nor another member’s, nor one of a host who was replaced', async () => {
    const { link, organization, ownerEmail, key, booking, eventTypeId } = await requested()
    const url = new URL(link, 'https://holdfast.test')
    const withToken = (token: string, member = url.searchParams.get('member')) =>
      visit(`${url.pathname}?member=${member}&token=${token}`)
    expect((await withToken(booking.cancel_token)).status).toBe(404)
    expect((await withToken(`${url.searchParams.get('token')}x`)).status).toBe(404)
    const other = await createMember(organization)
    expect((await withToken(url.searchParams.get('token')!, other.id)).status).toBe(404)
    expect((await visit(`/requests/${booking.id}`)).status).toBe(404)

    await addHost(key, eventTypeId, other.id)
    const { body: hosted } = await book(eventTypeId, SLOT + HOUR_MS)
    const address = env.DB.prepare('SELECT user_email FROM members WHERE id = ?').bind(other.id)
    const [letter] = await lettersTo(key, (await address.first<string>('user_email'))!, 1)
    const theirs = LINK.exec(letter!.body)![1]!
    expect((await visit(theirs)).status).toBe(200)
    const [owners] = (await lettersTo(key, ownerEmail, 2)).slice(-1)
    const ownersToken = /token=([\w-]+)/.exec(LINK.exec(owners!.body)![1]!)![1]
    expect((await visit(theirs.replace(/token=.*$/, `token=${ownersToken}`))).status).toBe(404)
    await env.DB.prepare('UPDATE bookings SET assigned_host_id = NULL, assigned_host = NULL WHERE id = ?')
      .bind(hosted.id)
      .run()
    await call('DELETE', `/v1/event-types/${eventTypeId}/hosts/${other.id}`, { key })
    expect((await visit(theirs)).status).toBe(404)
  })

  it.each([
    ['de', 'Ein Termin wartet auf Ihre Bestätigung', 'Ablehnen', 'Ohne Anmeldung entscheiden'],
    ['fr', 'Un rendez-vous attend votre validation', 'Refuser', 'Décider sans se connecter'],
    ['es', 'Una cita espera su aprobación', 'Rechazar', 'Decidir sin iniciar sesión'],
    ['ja', '承認待ちの予約があります', '却下する', 'ログインせずに回答する'],
    ['ar', 'حجز في انتظار موافقتك', 'رفض', 'اتخاذ القرار دون تسجيل الدخول'],
  ])('speaks the language of its reader: %s', async (language, heading, decline, label) => {
    const { link, letter } = await requested({}, {}, language)
    expect([
      letter.body.includes(`\n${headed(localeOf(language), label)}\n`),
      letter.html!.includes(label),
    ]).toEqual([true, true])
    expect(buttonsIn(letter.html!)).toHaveLength(1)
    const page = await visit(link, { headers: { 'Accept-Language': language } })
    expect(page.text).toContain(`lang="${language}"`)
    expect(wordsOf(page)).toContain(heading)
    expect(wordsOf(page)).toContain(decline)
    // Choosing a language keeps the link, which names the member too.
    expect(page.text.split('<footer')[1]).toMatch(/name="token"[\s\S]*name="member"/)
  })
})
