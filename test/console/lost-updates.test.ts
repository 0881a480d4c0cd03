import { describe, expect, it } from 'vitest'
import { call, callAsService } from '../support/app.ts'
import { enter } from '../support/console.ts'
import { createEventType, createKey, createOrganization } from '../support/factories.ts'

async function open() {
  const organization = await createOrganization()
  const { key } = await createKey(organization.id, 'live', { name: 'Jonas' })
  return { ...organization, key, browser: await enter(organization) }
}

describe('a form that somebody else was faster with', () => {
  it('says who changed the event type and when, keeps what was typed, and saves it the second time', async () => {
    const { key, browser } = await open()
    const { id } = await createEventType(key, { title: 'Intro' })
    const at = `/console/event-types/${id}`
    const page = await browser.visit(at)
    const other = await call('PATCH', `/v1/event-types/${id}`, {
      key,
      body: { title: 'Theirs', max_guests: 7 },
    })
    const refused = await browser.send(page, at, { description: 'Mine' })
    expect(refused.status).toBe(409)
    expect(refused.text).toMatch(/Jonas changed this at \d+:\d\d/)
    expect(refused.text).toContain('Mine')
    expect(refused.text).toContain('Theirs')
    expect((await call('GET', `/v1/event-types/${id}`, { key })).body).toEqual(other.body)
    expect((await browser.send(refused, at)).status).toBe(303)
    const { body } = await call('GET', `/v1/event-types/${id}`, { key })
    expect(body).toMatchObject({ title: 'Theirs', max_guests: 7, description: 'Mine' })
  })

  it('sends only what was changed', async () => {
    const { key, browser } = await open()
    const { id } = await createEventType(key)
    const at = `/console/event-types/${id}/look`
    await browser.send(await browser.visit(at), at, { color: '#112233' })
    const { body } = await call('GET', `/v1/activity?resource_id=${id}&action=event_type.updated`, { key })
    expect(body.data.map(({ changes }: { changes: unknown }) => changes)).toEqual([{ color: '#112233' }])
  })

  it('says the same about hours and the organization', async () => {
    const { key, browser, id: organizationId } = await open()
    const { body: schedule } = await call('POST', '/v1/schedules', {
      key,
      body: { name: 'Hours', rules: [] },
    })
    const at = `/console/hours/${schedule.id}`
    const page = await browser.visit(at)
    await call('PATCH', `/v1/schedules/${schedule.id}`, { key, body: { timezone: 'Asia/Tokyo' } })
    const refused = await browser.send(page, at, { name: 'Mine' })
    expect([refused.status, refused.text.includes('Jonas changed this at')]).toEqual([409, true])
    expect((await browser.send(refused, at)).status).toBe(303)
    const { body } = await call('GET', `/v1/schedules/${schedule.id}`, { key })
    expect(body).toMatchObject({ name: 'Mine', timezone: 'Asia/Tokyo' })

    const settings = '/console/settings/organization'
    const form = await browser.visit(settings)
    await callAsService('PATCH', `/v1/organizations/${organizationId}`, { body: { locale: 'fr' } })
    const late = await browser.send(form, settings, { timezone: 'Europe/Paris' })
    expect([late.status, late.text.includes('This was changed at')]).toEqual([409, true])
    const saved = await browser.send(late, settings)
    expect([saved.status, saved.headers.get('location')]).toEqual([303, `${settings}?done=1`])
  })
})
