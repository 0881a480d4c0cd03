import { describe, expect, it } from 'vitest'
import { call } from '../support/app.ts'
import { enter } from '../support/console.ts'
import { createEventType, createOrganization } from '../support/factories.ts'
import { addHost, createMember } from '../support/hosts.ts'
import { daily } from '../support/hours.ts'
import { formOf } from '../support/pages.ts'

describe('a duplicate of an event type', () => {
  it('has all settings, hours and hosts of the first, and a name and an address of its own', async () => {
    const organization = await createOrganization()
    const { liveKey: key } = organization
    const input = {
      title: 'Intro',
      max_guests: 7,
      price_amount: 5_000,
      listed: false,
      requires_approval: true,
    }
    const source = await createEventType(key, input, daily(['09:00', '10:00']))
    const { id: member_id } = await createMember(organization)
    await addHost(key, source.id, member_id, { priority: 7 })
    const browser = await enter(organization)
    const editor = await browser.visit(`/console/event-types/${source.id}`)
    const link = `/console/event-types/new?from=${source.id}`
    expect(editor.text).toContain(`href="${link}"`)
    const page = await browser.visit(link)
    expect(formOf(page, '/new').fields).toMatchObject({ title: 'Intro (copy)', duration_minutes: '30' })
    const made = await browser.send(page, '/new')
    const id = /event-types\/([^?/]+)\?done=created$/.exec(made.headers.get('location')!)![1]!

    const read = async (of: string, path = '') =>
      (await call('GET', `/v1/event-types/${of}${path}`, { key })).body
    const [first, copy] = [await read(source.id), await read(id)]
    const own = { id, title: 'Intro (copy)', slug: 'intro-copy' }
    const stamps = { created_at: copy.created_at, updated_at: copy.updated_at }
    expect(copy).toEqual({ ...first, ...own, ...stamps })
    const hours = await read(id, '/availability')
    expect(hours.rules).toHaveLength(7)
    expect((await read(id, '/hosts')).data).toMatchObject([{ member_id, priority: 7 }])
  })

  it('says at its address if that is taken, and remembers what it copies', async () => {
    const organization = await createOrganization()
    const source = await createEventType(organization.liveKey, { title: 'Intro', max_guests: 7 })
    const browser = await enter(organization)
    const page = await browser.visit(`/console/event-types/new?from=${source.id}`)
    const wrong = await browser.send(page, '/new', { slug: source.slug })
    expect(wrong.status).toBe(409)
    expect((await browser.send(wrong, '/new', { slug: 'other' })).status).toBe(303)
    const { body } = await call('GET', '/v1/event-types', { key: organization.liveKey })
    expect(body.data[0]).toMatchObject({ slug: 'other', max_guests: 7 })
  })
})
