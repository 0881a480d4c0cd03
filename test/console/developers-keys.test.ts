import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { DAY_MS } from '../../src/core/time-units.ts'
import { call } from '../support/app.ts'
import { codeFor, enter, signIn } from '../support/console.ts'
import { createEventType, createKey, createOrganization, unique } from '../support/factories.ts'
import { memberWithRole } from '../support/members.ts'
import { formOf, wordsOf } from '../support/pages.ts'

const NEW = '/console/developers/keys/new'

/** The key that stands on a page to be copied. */
function keyOn({ text }: { readonly text: string }): string {
  return /data-copy="(hf_(?:live|test)_[\w-]+)"/.exec(text)![1]!
}

describe('API keys in the console', () => {
  it('are created, shown once with calls that work unchanged, used, and revoked', async () => {
    const organization = await createOrganization()
    const eventType = await createEventType(organization.liveKey)
    const browser = await enter(organization)
    const form = await browser.visit(NEW)
    const made = await browser.send(form, NEW, { name: 'Website', description: 'Books', expires: '30' })
    expect(made.status).toBe(200)
    const key = keyOn(made)
    expect(made.text).toContain(`/v1/event-types/${eventType.id}/explain`)
    expect(made.text.split(key).length).toBeGreaterThan(3)
    const { body } = await call('GET', '/v1/api-keys', { key })
    expect(body.data[0]).toMatchObject({ name: 'Website', description: 'Books', mode: 'live' })
    const lasts = Date.parse(body.data[0].expires_at) - Date.parse(body.data[0].created_at)
    expect(Math.round(lasts / DAY_MS)).toBe(30)

    const list = await browser.visit('/console/developers')
    expect(wordsOf(list)).toContain(`Website ${key.slice(0, 12)}…`)
    expect(list.text).not.toContain(key)
    const revoked = await browser.send(list, `/keys/${body.data[0].id}/revoke`)
    expect(wordsOf(await browser.follow(revoked))).toContain('The key was revoked.')
    expect((await call('GET', '/v1/api-keys', { key })).status).toBe(401)
  })

  it('are made once, however often the form is sent', async () => {
    const organization = await createOrganization()
    const browser = await enter(organization)
    const form = await browser.visit(NEW)
    const [one, two] = await Promise.all([1, 2].map(() => browser.send(form, NEW, { name: 'Twice' })))
    expect(keyOn(one!)).toBe(keyOn(two!))
    const { body } = await call('GET', '/v1/api-keys', { key: organization.liveKey })
    expect(body.data.filter(({ name }: { name: string }) => name === 'Twice')).toHaveLength(1)
  })

  it('of the sandbox are made while it is looked at, and live ones are not shown there', async () => {
    const organization = await createOrganization()
    await createKey(organization.id, 'live', { name: 'Only live' })
    const browser = await enter(organization)
    await browser.send(await browser.visit('/console/developers'), '/console/mode', { mode: 'test' })
    expect(wordsOf(await browser.visit('/console/developers'))).not.toContain('Only live')
    expect(keyOn(await browser.send(await browser.visit(NEW), NEW, { name: 'Tests' }))).toMatch(/^hf_test_/)
  })

  it('have a name and one of the offered ends', async () => {
    const browser = await enter(await createOrganization())
    const form = await browser.visit(NEW)
    const refused = await browser.send(form, NEW, { name: '', description: 'Kept', expires: 'soon' })
    expect(refused.status).toBe(422)
    expect(refused.text).toMatch(/id="name-error"[\s\S]*id="expires-error"/)
    expect(refused.text).toContain('value="Kept"')
  })

  it('are created and revoked by administrators only, even if a form is forged', async () => {
    const organization = await createOrganization()
    const { body } = await call('GET', '/v1/api-keys', { key: organization.liveKey })
    for (const role of ['viewer', 'member'] as const) {
      const { userId } = await memberWithRole(organization, role)
      const browser = await enter(organization, userId)
      const page = await browser.visit('/console/developers')
      expect([page.status, page.text.includes('/revoke'), page.text.includes(NEW)]).toEqual([
        200,
        false,
        false,
      ])
      const csrf = formOf(page, '/console/mode').fields.csrf!
      const id = body.data[0].id
      for (const path of [NEW, `/console/developers/keys/${id}/revoke`]) {
        expect((await browser.visit(path, { form: { csrf, name: 'Mine' } })).status).toBe(403)
      }
      expect((await browser.visit(NEW)).status).toBe(403)
    }
    expect((await call('GET', '/v1/api-keys', { key: organization.liveKey })).body.data).toHaveLength(
      body.data.length,
    )
  })

  it('of another organization are not found', async () => {
    const stranger = await createOrganization()
    const { body } = await call('GET', '/v1/api-keys', { key: stranger.liveKey })
    const browser = await enter(await createOrganization())
    const csrf = formOf(await browser.visit('/console/developers'), '/console/mode').fields.csrf!
    const path = `/console/developers/keys/${body.data[0].id}/revoke`
    expect((await browser.visit(path, { form: { csrf } })).status).toBe(404)
    expect((await call('GET', '/v1/api-keys', { key: stranger.liveKey })).status).toBe(200)
  })

  it('need a new proof if the last one is old, and are created with it', async () => {
    const email = `${unique('owner')}@example.com`
    await createOrganization({ ownerEmail: email })
    const browser = await signIn(email)
    const form = await browser.visit(NEW)
    await env.DB.prepare('UPDATE console_sessions SET proven_at = proven_at - ?').bind(DAY_MS).run()
    const confirm = `/console/confirm?next=${encodeURIComponent(NEW)}`
    expect((await browser.visit(NEW)).headers.get('location')).toBe(confirm)
    const asking = await browser.send(form, NEW, { name: 'Left open' })
    expect(asking.text).not.toContain('hf_live_')
    const sent = await browser.send(asking, NEW, { proof: 'mail' })
    const made = await browser.send(sent, NEW, { proof: 'code', proof_code: await codeFor(email) })
    const { body } = await call('GET', '/v1/api-keys', { key: keyOn(made) })
    expect(body.data.filter(({ name }: { name: string }) => name === 'Left open')).toHaveLength(1)
  })
})
