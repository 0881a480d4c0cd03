import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { updateBranding } from '../../src/booking/branding/update-branding.ts'
import type { TenantCaller } from '../../src/platform/auth/caller.ts'
import type { Context } from '../../src/platform/http/context.ts'
import { call, callAsService } from '../support/app.ts'
import { createOrganization, type Organization } from '../support/factories.ts'

const DEFAULTS = {
  logo_url: null,
  logo_alt_text: null,
  logo_dark_url: null,
  accent_color: null,
  remove_branding: false,
  listing_page_enabled: true,
  imprint_url: null,
  privacy_url: null,
}
const LOGO = 'https://cdn.example.com/logo.png'

function read(key: string) {
  return call('GET', '/v1/branding', { key })
}

function update(key: string, body: Record<string, unknown>) {
  return call('PATCH', '/v1/branding', { key, body })
}

function setTier(organization: Organization, tier: string) {
  return callAsService('PATCH', `/v1/organizations/${organization.id}`, { body: { tier } })
}

async function shown(organization: Organization) {
  return (await call('GET', `/v1/public/booking-page/${organization.slug}`)).body.branding
}

async function changesOf(organization: Organization): Promise<unknown[]> {
  const { body } = await call('GET', '/v1/activity?resource_type=branding', { key: organization.liveKey })
  return body.data.map((entry: { changes: unknown }) => entry.changes)
}

describe('branding', () => {
  it('begins plain', async () => {
    const { liveKey } = await createOrganization()
    const { status, body } = await read(liveKey)
    expect([status, body]).toEqual([200, DEFAULTS])
  })

  it('takes any subset of its fields, null to clear, and shows on the pages', async () => {
    const organization = await createOrganization()
    const key = organization.liveKey
    const first = await update(key, { logo_url: LOGO, logo_alt_text: 'Acme' })
    expect([first.status, first.body]).toEqual([200, { ...DEFAULTS, logo_url: LOGO, logo_alt_text: 'Acme' }])
    const second = await update(key, { remove_branding: true, listing_page_enabled: false })
    const all = { ...first.body, remove_branding: true, listing_page_enabled: false }
    expect(second.body).toEqual(all)
    expect((await read(key)).body).toEqual(all)
    expect(await shown(organization)).toEqual(all)
    await update(key, { logo_url: null, logo_alt_text: null })
    expect((await read(key)).body).toEqual({ ...all, logo_url: null, logo_alt_text: null })
    const more = {
      logo_dark_url: 'https://cdn.example.com/dark.png',
      accent_color: '#0F766e',
      imprint_url: 'https://example.com/imprint',
      privacy_url: 'https://example.com/privacy',
    }
    expect((await update(key, more)).body).toMatchObject(more)
    expect(await shown(organization)).toMatchObject(more)
    expect(await changesOf(organization)).toEqual([
      more,
      { logo_url: null, logo_alt_text: null },
      { remove_branding: true, listing_page_enabled: false },
      { logo_url: LOGO, logo_alt_text: 'Acme' },
    ])
  })

  it('writes nothing when nothing is asked for', async () => {
    const organization = await createOrganization()
    const { status, body } = await update(organization.liveKey, { color: 'red' })
    expect([status, body]).toEqual([200, DEFAULTS])
    expect(await changesOf(organization)).toEqual([])
  })

  it('names every field that is wrong and changes nothing', async () => {
    const organization = await createOrganization()
    const wrong: [Record<string, unknown>, string][] = [
      [{ logo_url: 'http://cdn.example.com/logo.png' }, 'logo_url'],
      [{ logo_url: 'https://10.0.0.1/logo.png' }, 'logo_url'],
      [{ logo_url: 'https://0x7f.1/logo.png' }, 'logo_url'],
      [{ logo_url: 'https://[::1]/logo.png' }, 'logo_url'],
      [{ logo_url: 'https://intranet/logo.png' }, 'logo_url'],
      [{ logo_url: 'https://user@cdn.example.com/logo.png' }, 'logo_url'],
      [{ logo_url: 'logo.png' }, 'logo_url'],
      [{ logo_url: '' }, 'logo_url'],
      [{ logo_url: `${LOGO}?${'x'.repeat(2048)}` }, 'logo_url'],
      [{ logo_url: 7 }, 'logo_url'],
      [{ logo_alt_text: 'x'.repeat(256) }, 'logo_alt_text'],
      [{ logo_dark_url: 'http://cdn.example.com/dark.png' }, 'logo_dark_url'],
      [{ imprint_url: 'javascript:alert(1)' }, 'imprint_url'],
      [{ privacy_url: 'https://localhost/privacy' }, 'privacy_url'],
      [{ accent_color: 'teal' }, 'accent_color'],
      [{ accent_color: '#0f76' }, 'accent_color'],
      [{ remove_branding: 'yes' }, 'remove_branding'],
      [{ remove_branding: null }, 'remove_branding'],
      [{ listing_page_enabled: 1 }, 'listing_page_enabled'],
    ]
    for (const [input, field] of wrong) {
      const { status, body } = await update(organization.liveKey, { listing_page_enabled: false, ...input })
      expect([input, status, body.error.code]).toEqual([input, 400, 'validation_error'])
      expect(Object.keys(body.error.details)).toEqual([field])
    }
    expect((await read(organization.liveKey)).body).toEqual(DEFAULTS)
    expect(await changesOf(organization)).toEqual([])
  })

  it('is removed on paid plans only', async () => {
    const organization = await createOrganization({ tier: 'free' })
    const key = organization.liveKey
    const { status, body } = await update(key, { remove_branding: true, logo_alt_text: 'Acme' })
    expect([status, body.error.code]).toEqual([403, 'forbidden'])
    expect((await read(key)).body).toEqual(DEFAULTS)
    expect((await update(key, { remove_branding: false, logo_alt_text: 'Acme' })).status).toBe(200)

    await setTier(organization, 'starter')
    expect((await update(key, { remove_branding: true })).body.remove_branding).toBe(true)
    await setTier(organization, 'free')
    expect((await read(key)).body.remove_branding).toBe(false)
    expect((await shown(organization)).remove_branding).toBe(false)
    expect((await update(key, { logo_alt_text: 'Acme Inc.' })).body.remove_branding).toBe(false)
    await setTier(organization, 'grow')
    expect((await shown(organization)).remove_branding).toBe(true)
  })

  it('is private to its organization and for admins to change', async () => {
    const organization = await createOrganization()
    const neighbour = await createOrganization()
    await update(organization.liveKey, { logo_url: LOGO })
    expect((await read(neighbour.liveKey)).body).toEqual(DEFAULTS)
    expect((await call('GET', '/v1/branding')).status).toBe(401)
    const outsider = await callAsService('PATCH', '/v1/branding', {
      headers: { 'X-Org-Id': organization.id, 'X-User-Id': neighbour.ownerUserId },
      body: { logo_url: null },
    })
    expect(outsider.status).toBe(403)
    expect((await read(organization.liveKey)).body.logo_url).toBe(LOGO)
  })

  it('accepts private hosts if they are allowed', async () => {
    const { id: organizationId } = await createOrganization()
    const ctx = {
      env: { ...env, ALLOW_PRIVATE_HOSTS: 'true' },
      requestId: crypto.randomUUID(),
      now: Date.now(),
      ipAddress: null,
      claim: null,
      caller: { kind: 'service', organizationId, isTest: false, onBehalfOf: null },
    } as unknown as Context<TenantCaller>
    const url = 'http://127.0.0.1:8787/logo.png'
    expect((await updateBranding(ctx, { logo_url: url })).logo_url).toBe(url)
  })
})
