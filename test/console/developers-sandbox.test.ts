import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { answerConsole } from '../../src/console/answer-console.ts'
import { call } from '../support/app.ts'
import { enter } from '../support/console.ts'
import { countedEnv } from '../support/counted-env.ts'
import { book, createEventType, createOrganization, dayFromNow } from '../support/factories.ts'
import { memberWithRole } from '../support/members.ts'
import { browserRequest, formOf, linksOf, wordsOf } from '../support/pages.ts'

const HERE = '/console/developers/sandbox'
const CALLED = {
  failed: 'Failed',
  processing: 'Processing',
  succeeded: 'Paid',
  disputed: 'Disputed',
  dispute_lost: 'Dispute lost',
}

async function testing(role?: 'viewer') {
  const organization = await createOrganization()
  const userId = role && (await memberWithRole(organization, role)).userId
  const browser = await enter(organization, userId)
  await browser.send(await browser.visit('/console/developers'), '/console/mode', { mode: 'test' })
  return { organization, browser, key: organization.testKey }
}

describe('the sandbox in the console', () => {
  it('is there while test data is looked at, and not beside live data', async () => {
    const organization = await createOrganization()
    const browser = await enter(organization)
    const live = await browser.visit('/console/developers')
    expect([live.text.includes(HERE), (await browser.visit(HERE)).status]).toEqual([false, 404])
    await browser.send(live, '/console/mode', { mode: 'test' })
    expect((await browser.visit('/console/developers')).text).toContain(HERE)
    expect((await browser.visit(HERE)).status).toBe(200)
  })

  it('is filled, shows what would have left it, and is emptied', async () => {
    const { browser, key } = await testing()
    const filled = await browser.follow(await browser.send(await browser.visit(HERE), '/fill'))
    expect(wordsOf(filled)).toContain('The test data was created.')
    const { body } = await call('GET', '/v1/event-types', { key })
    expect(body.data.length).toBeGreaterThan(0)
    await book(body.data[0].id, dayFromNow(8) + 10 * 3_600_000, { invitee_name: 'Grace Hopper' })
    const emptied = await browser.follow(await browser.send(filled, '/empty'))
    expect(wordsOf(emptied)).toContain('The test data was deleted.')
    expect((await call('GET', '/v1/event-types', { key })).body.data).toEqual([])
  })

  it('has a clock that is set in the member’s time zone and can follow the real one again', async () => {
    const { browser, organization, key } = await testing()
    await env.DB.prepare('UPDATE organizations SET timezone = ? WHERE id = ?')
      .bind('Europe/Berlin', organization.id)
      .run()
    const wrong = await browser.send(await browser.visit(HERE), '/clock', { now: 'tomorrow' })
    expect([wrong.status, wrong.text.includes('id="now-error"')]).toEqual([422, true])
    const set = await browser.send(await browser.visit(HERE), '/clock', { now: '2031-07-01T09:30' })
    const page = await browser.follow(set)
    expect(wordsOf(page)).toContain('The sandbox time is Tuesday, July 1')
    const clockOf = async () =>
      env.DB.prepare('SELECT sandbox_now FROM organizations WHERE id = ?')
        .bind(organization.id)
        .first('sandbox_now')
    expect(await clockOf()).toBe(Date.parse('2031-07-01T07:30:00Z'))
    await browser.send(page, '/clock', {}, 'name="real"')
    expect(await clockOf()).toBeNull()
    expect((await call('GET', '/v1/event-types', { key })).status).toBe(200)
  })

  it('lets a payment fail, succeed, and be disputed until a bank decides', async () => {
    const { browser, key } = await testing()
    const { id } = await createEventType(key, { price_amount: 4_900, price_currency: 'eur' })
    const { body: booking } = await book(id, dayFromNow(4))
    const statusNow = async () =>
      (await call('GET', `/v1/bookings/${booking.id}/payment`, { key })).body.status
    for (const [move, becomes] of [
      ['fail', 'failed'],
      ['process', 'processing'],
      ['succeed', 'succeeded'],
      ['dispute', 'disputed'],
      ['lost', 'dispute_lost'],
    ] as const) {
      const page = await browser.visit(HERE)
      const moved = await browser.follow(await browser.send(page, `/${move}`))
      expect(wordsOf(moved)).toContain('The payment was updated.')
      expect(await statusNow()).toBe(becomes)
      // As the list of payments calls it.
      expect(moved.text).toContain(`>${CALLED[becomes]}</span>`)
    }
    const csrf = formOf(await browser.visit(HERE), '/console/mode').fields.csrf!
    const { body } = await call('GET', `/v1/bookings/${booking.id}/payment`, { key })
    const again = await browser.visit(`${HERE}/payments/${body.id}/fail`, { form: { csrf } })
    expect(again.status).toBe(409)
    for (const what of ['vanish', 'toString', '__proto__']) {
      const path = `${HERE}/payments/${body.id}/${what}`
      expect([what, (await browser.visit(path, { form: { csrf } })).status]).toEqual([what, 404])
    }
  })

  it('opens an email as it was sent, which runs nothing', async () => {
    const { browser, key } = await testing()
    const { id } = await createEventType(key, { title: 'Sent' })
    await book(id, dayFromNow(4))
    await vi.waitFor(async () => expect((await browser.visit(HERE)).text).toContain('/sandbox/outbox/'), {
      timeout: 10_000,
    })
    const to = linksOf(await browser.visit(HERE)).find((href) => href.includes('/sandbox/outbox/'))!
    const email = await browser.visit(to)
    expect([email.status, email.headers.get('Content-Type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(email.headers.get('Content-Security-Policy')).toMatch(/^default-src 'none';.*; sandbox /)
    expect(email.text).toMatch(/^<!doctype html>[\s\S]*Sent/i)
    expect((await browser.visit(`${HERE}/outbox/01890000-0000-7000-8000-000000000000`)).status).toBe(404)
  })

  it('is changed by administrators alone, who alone read its emails', async () => {
    const { browser, organization } = await testing('viewer')
    const page = await browser.visit(HERE)
    expect([page.status, page.text.includes(`action="${HERE}`), page.text.includes('id="outbox"')]).toEqual([
      200,
      false,
      false,
    ])
    const csrf = formOf(page, '/console/mode').fields.csrf!
    for (const path of ['/fill', '/empty', '/clock', `/payments/${organization.id}/succeed`]) {
      const answer = await browser.visit(HERE + path, { form: { csrf, now: '2031-07-01T09:30' } })
      expect([path, answer.status]).toEqual([path, 403])
    }
  })

  it('asks the database twice', async () => {
    const { browser } = await testing()
    const Cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const counted = countedEnv(env)
    expect(
      (await answerConsole(browserRequest(HERE, { headers: { Cookie } }), counted.env, HERE)).status,
    ).toBe(200)
    expect(counted.trips.count).toBeLessThanOrEqual(2)
  })
})
