import { env } from 'cloudflare:workers'
import { describe, expect, inject, it, vi } from 'vitest'
import { answerConsole } from '../../src/console/answer-console.ts'
import { call } from '../support/app.ts'
import { type Browser, enter } from '../support/console.ts'
import { countedEnv } from '../support/counted-env.ts'
import { book, createEventType, createOrganization, dayFromNow, unique } from '../support/factories.ts'
import { memberWithRole } from '../support/members.ts'
import { browserRequest, formOf, seen, type Visit, wordsOf } from '../support/pages.ts'
import type { Behaviour } from '../support/receiver.ts'

const HERE = '/console/developers/webhooks'
/** As on a developer's machine, where receivers may be private. */
const LOCAL = { ...env, ALLOW_PRIVATE_HOSTS: 'true' }

const freshUrl = () => `${inject('receiver')}/${unique('hook')}`

async function behave(url: string, behaviour: Behaviour): Promise<void> {
  await (await fetch(url, { method: 'PUT', body: JSON.stringify(behaviour) })).text()
}

/** The same browser, where the service is configured so. */
async function locally({ cookies }: Browser, path: string, how: Visit = {}) {
  const Cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const request = browserRequest(path, { ...how, headers: { Cookie } })
  return seen(await answerConsole(request, LOCAL, new URL(request.url).pathname))
}

async function addEndpoint(browser: Browser, url = freshUrl()) {
  const { fields } = formOf(await browser.visit(`${HERE}/new`), `${HERE}/new`)
  const pairs = Object.entries({ ...fields, url, description: 'Rooms' }).filter(([name]) => name !== 'events')
  const kinds = ['booking.created', 'booking.cancelled'].map((kind) => ['events', kind] as const)
  const made = await locally(browser, `${HERE}/new`, { form: [...(pairs as [string, string][]), ...kinds] })
  const id = new RegExp(`${HERE}/([0-9a-f-]{36})`).exec(made.text)?.[1] ?? ''
  return { made, id, url }
}

describe('webhook endpoints in the console', () => {
  it('are added with a secret that is shown once, tried with a sample, changed and deleted', async () => {
    const organization = await createOrganization()
    const browser = await enter(organization)
    const { made, id, url } = await addEndpoint(browser)
    expect(made.status).toBe(200)
    const secret = /data-copy="(whsec_[^"]+)"/.exec(made.text)![1]!
    const { body } = await call('GET', `/v1/webhooks/${id}`, { key: organization.liveKey })
    const events = ['booking.created', 'booking.cancelled']
    expect(body).toMatchObject({ url, events, description: 'Rooms', verification_status: 'verified' })

    const page = await browser.visit(`${HERE}/${id}`)
    expect([wordsOf(page).includes('Verified'), page.text.includes(secret)]).toEqual([true, false])
    await behave(url, { body: 'Thank you' })
    const sampled = await browser.send(page, '/test', { event: 'waitlist.promoted' })
    expect(wordsOf(sampled)).toContain('The test event arrived: 200. Response Thank you')
    expect(wordsOf(sampled)).toContain('"event": "waitlist.promoted"')

    const rotated = await browser.send(page, '/rotate-secret')
    expect(rotated.text).toMatch(/data-copy="whsec_/)
    expect(rotated.text).not.toContain(secret)

    const form = formOf(await browser.visit(`${HERE}/${id}/edit`), '/edit').fields
    const changed = await locally(browser, `${HERE}/${id}/edit`, {
      form: { csrf: form.csrf!, url, events: '*', description: '' },
    })
    expect(changed.status).toBe(303)
    const after = (await call('GET', `/v1/webhooks/${id}`, { key: organization.liveKey })).body
    expect(after).toMatchObject({ events: ['*'], description: null, active: false })

    const deleted = await browser.send(page, '/delete')
    expect(wordsOf(await browser.follow(deleted))).toContain('The endpoint was deleted.')
    expect((await call('GET', `/v1/webhooks/${id}`, { key: organization.liveKey })).status).toBe(404)
  })

  it('say what is wrong with them at the field, and keep what was typed', async () => {
    const browser = await enter(await createOrganization())
    const form = await browser.visit(`${HERE}/new`)
    const { csrf, form_key } = formOf(form, `${HERE}/new`).fields
    const refused = await browser.visit(`${HERE}/new`, {
      form: {
        csrf: csrf!,
        form_key: form_key!,
        url: 'http://127.0.0.1/x',
        secret: 'short',
        description: 'Kept',
      },
    })
    expect(refused.status).toBe(422)
    expect(refused.text).toMatch(/id="url-error"|id="events-error"/)
    expect(refused.text).toContain('value="Kept"')
    const none = await browser.visit(`${HERE}/new`, {
      form: { csrf: csrf!, form_key: form_key!, url: 'https://example.com/x' },
    })
    expect(none.text).toMatch(/id="events-error"/)
  })

  it('show why they are not verified, and can be verified again', async () => {
    const organization = await createOrganization()
    const browser = await enter(organization)
    const url = freshUrl()
    await behave(url, { challenge: 'silence' })
    const { id } = await addEndpoint(browser, url)
    const page = await browser.visit(`${HERE}/${id}`)
    expect(wordsOf(page)).toContain('The answer does not contain the challenge.')
    const sampled = await browser.send(page, '/test')
    expect([sampled.status, wordsOf(sampled).includes('not verified')]).toEqual([409, true])
    await behave(url, {})
    const verified = await browser.follow(await browser.send(page, '/verify'))
    expect(wordsOf(verified)).toContain('The endpoint was verified.')
  })

  it('show failed deliveries first, and send them again', async () => {
    const organization = await createOrganization()
    const eventType = await createEventType(organization.liveKey)
    const browser = await enter(organization)
    const { id, url } = await addEndpoint(browser)
    await behave(url, { statuses: [500], body: 'no room' })
    await book(eventType.id, dayFromNow(3))
    await vi.waitFor(async () => expect((await browser.visit(`${HERE}/${id}`)).text).toContain('no room'), {
      timeout: 10_000,
      interval: 100,
    })
    await env.DB.prepare("UPDATE webhook_deliveries SET status = 'failed', next_retry_at = NULL").run()
    const page = await browser.visit(`${HERE}/${id}`)
    expect(wordsOf(page)).toContain('Failed deliveries')
    expect(wordsOf(page)).toContain('"event": "booking.created"')
    expect(wordsOf(await browser.visit(`${HERE}/${id}?status=success`))).toContain('No deliveries yet')
    await behave(url, {})
    const retried = await browser.follow(await browser.send(page, '/retry'))
    expect(wordsOf(retried)).toContain('The delivery is queued again.')
    const { body } = await call('GET', `/v1/webhooks/${id}/deliveries`, { key: organization.liveKey })
    expect(body.data.map(({ status }: { status: string }) => status)).toContain('retried')
  })

  it('are seen by all members of the organization and changed by administrators alone', async () => {
    const organization = await createOrganization()
    const { id } = await addEndpoint(await enter(organization))
    const { userId } = await memberWithRole(organization, 'viewer')
    const viewer = await enter(organization, userId)
    const page = await viewer.visit(`${HERE}/${id}`)
    expect([page.status, /action="\/console\/developers/.test(page.text)]).toEqual([200, false])
    const csrf = formOf(page, '/console/mode').fields.csrf!
    const own = ['/edit', '/test', '/verify', '/rotate-secret', '/delete', `/deliveries/${id}/retry`]
    for (const path of [`${HERE}/new`, ...own.map((action) => `${HERE}/${id}${action}`)]) {
      const form = { csrf, url: 'https://example.com/mine', events: '*', event: 'booking.created' }
      expect([path, (await viewer.visit(path, { form })).status]).toEqual([path, 403])
    }
    expect((await viewer.visit(`${HERE}/${id}/edit`)).status).toBe(403)
    const stranger = await enter(await createOrganization())
    expect((await stranger.visit(`${HERE}/${id}`)).status).toBe(404)
    const theirs = formOf(await stranger.visit(HERE), '/console/mode').fields.csrf!
    expect((await stranger.visit(`${HERE}/${id}/delete`, { form: { csrf: theirs } })).status).toBe(404)
    expect((await call('GET', `/v1/webhooks/${id}`, { key: organization.liveKey })).status).toBe(200)
  })

  it('ask the database twice for each screen', async () => {
    const browser = await enter(await createOrganization())
    const { id } = await addEndpoint(browser)
    const Cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const told: [string, number][] = []
    for (const path of [
      HERE,
      `${HERE}/new`,
      `${HERE}/${id}`,
      `${HERE}/${id}?status=failed`,
      `${HERE}/${id}/edit`,
    ]) {
      const counted = countedEnv(env)
      const request = browserRequest(path, { headers: { Cookie } })
      expect((await answerConsole(request, counted.env, new URL(request.url).pathname)).status).toBe(200)
      told.push([path, counted.trips.count])
    }
    expect(told.filter(([, trips]) => trips > 2)).toEqual([])
  })
})
