import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { answerConsole } from '../../src/console/answer-console.ts'
import { call } from '../support/app.ts'
import { enter } from '../support/console.ts'
import { countedEnv } from '../support/counted-env.ts'
import { createEventType, createOrganization } from '../support/factories.ts'
import { memberWithRole } from '../support/members.ts'
import { browserRequest, unescaped, visit, wordsOf } from '../support/pages.ts'

/** What is shown to be taken along. */
const codeIn = (text: string) =>
  [...text.matchAll(/<code>([\s\S]*?)<\/code>/g)].map(([, code]) => unescaped(code!))

describe('the look of the pages', () => {
  it('is changed, reports errors at its fields, and is public', async () => {
    const organization = await createOrganization()
    const browser = await enter(organization)
    const page = await browser.visit('/console/page')
    expect(page.text).toContain(`src="/book/${organization.slug}?embed=1"`)
    expect(page.headers.get('Content-Security-Policy')).toContain("frame-src 'self'")
    const bad = await browser.send(page, '/console/page', { logo_url: 'http://pictures.example/logo.png' })
    expect([bad.status, /id="logo_url-error"/.test(bad.text)]).toEqual([422, true])
    const done = await browser.send(page, '/console/page', {
      logo_url: 'https://pictures.example/logo.png',
      logo_alt_text: 'Ada & Sons',
      has_color: 'on',
      accent_color: '#0f766e',
      imprint_url: 'https://example.com/imprint',
    })
    expect((await browser.follow(done)).text).toContain('Saved.')
    const read = async () => (await call('GET', '/v1/branding', { key: organization.liveKey })).body
    expect(await read()).toMatchObject({
      logo_url: 'https://pictures.example/logo.png',
      logo_alt_text: 'Ada & Sons',
      accent_color: '#0f766e',
      listing_page_enabled: true,
      imprint_url: 'https://example.com/imprint',
    })
    expect((await visit(`/book/${organization.slug}`)).text).toContain('https://pictures.example/logo.png')
    const csrf = /name="csrf" value="([^"]*)"/.exec(page.text)![1]!
    const off = await browser.visit('/console/page', { form: { csrf, accent_color: '#0f766e' } })
    expect(wordsOf(await browser.follow(off))).toContain('is turned off')
    expect(await read()).toMatchObject({
      logo_url: null,
      accent_color: null,
      listing_page_enabled: false,
    })
  })

  it('says what needs a paid plan', async () => {
    const organization = await createOrganization()
    await call('PATCH', `/v1/organizations/${organization.id}`, {
      key: env.SERVICE_KEY,
      body: { tier: 'free' },
    })
    const browser = await enter(organization)
    const page = await browser.visit('/console/page')
    const sent = await browser.send(page, '/console/page', { remove_branding: 'on' })
    expect([sent.status, wordsOf(sent).includes('Removing the branding needs a paid plan')]).toEqual([
      403,
      true,
    ])
  })

  it('is seen by all members and changed by administrators alone', async () => {
    const organization = await createOrganization()
    for (const role of ['viewer', 'member'] as const) {
      const browser = await enter(organization, (await memberWithRole(organization, role)).userId)
      const page = await browser.visit('/console/page')
      expect([page.status, page.text.includes('action="/console/page"')]).toEqual([200, false])
      const csrf = /name="csrf" value="([^"]*)"/.exec(page.text)![1]!
      const sent = await browser.visit('/console/page', {
        form: { csrf, logo_url: 'https://evil.example/a.png' },
      })
      expect(sent.status).toBe(403)
    }
    const { body } = await call('GET', '/v1/branding', { key: organization.liveKey })
    expect(body.logo_url).toBeNull()
  })
})

describe('the lines for a site', () => {
  it('are filled in as chosen, and no address can break out of its attribute', async () => {
    const organization = await createOrganization()
    const eventType = await createEventType(organization.liveKey, { booking_page_enabled: true })
    const browser = await enter(organization)
    const snippet = async (query: Record<string, string>) =>
      codeIn((await browser.visit(`/console/page/embed?${new URLSearchParams(query)}`)).text)[0]
    const src = new URL('/embed.js', env.PUBLIC_URL).href
    const org = `data-org="${organization.slug}"`
    expect(await snippet({})).toBe(`<script src="${src}" ${org} async></script>`)
    expect(await snippet({ event: eventType.slug, theme: 'dark', lang: 'fr', hide: 'on' })).toBe(
      `<script src="${src}" ${org} data-event="${eventType.slug}" data-theme="dark" data-lang="fr" data-hide-details="true" async></script>`,
    )
    expect(await snippet({ mode: 'floating', label: '"><script>alert(1)</script>' })).toBe(
      `<script src="${src}" ${org} data-mode="floating" data-label="&quot;>&lt;script>alert(1)&lt;/script>" async></script>`,
    )
    const link = await snippet({ mode: 'link', event: eventType.slug })
    expect(link).toContain(`data-holdfast-link="${organization.slug}/${eventType.slug}"`)
    expect(await snippet({ event: 'no-such-page', mode: 'evil' })).toBe(
      `<script src="${src}" ${org} async></script>`,
    )
  })

  it('are shown in action: in a frame, or by the script itself', async () => {
    const organization = await createOrganization()
    const browser = await enter(organization)
    const inline = await browser.visit('/console/page/embed?theme=dark')
    expect(unescaped(inline.text)).toContain(`src="/book/${organization.slug}?embed=1&theme=dark"`)
    const popup = await browser.visit('/console/page/embed?mode=popup&label=Hello')
    expect(popup.text).toMatch(
      /<script src="\/embed.js" data-org="[^"]*" data-mode="popup" data-label="Hello"/,
    )
  })

  it('and the addresses are those of the live side, in every language', async () => {
    const organization = await createOrganization()
    const eventType = await createEventType(organization.liveKey, { booking_page_enabled: true })
    const test = await createEventType(organization.testKey)
    const browser = await enter(organization)
    const page = await browser.visit('/console/page/address')
    const own = new URL(`/book/${organization.slug}`, env.PUBLIC_URL).href
    expect(codeIn(page.text)).toEqual([
      own,
      `${own}/${eventType.slug}`,
      ...['en', 'de', 'fr', 'es', 'ja', 'ar'].map((language) => `${own}?lang=${language}`),
    ])
    await browser.send(page, '/console/mode', { mode: 'test' })
    const sandbox = await browser.visit('/console/page/embed')
    expect([sandbox.text.includes(test.slug), wordsOf(sandbox).includes('live event types')]).toEqual([
      false,
      true,
    ])
  })

  it('and the look ask the database twice for each screen', async () => {
    const organization = await createOrganization()
    const browser = await enter(organization)
    const Cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    for (const path of ['/console/page', '/console/page/address', '/console/page/embed']) {
      const counted = countedEnv(env)
      const request = browserRequest(path, { headers: { Cookie } })
      const answer = await answerConsole(request, counted.env, path)
      expect([path, answer.status, counted.trips.count]).toEqual([path, 200, 2])
    }
  })
})

describe('the texts of emails', () => {
  it('are written, shown beside the default, previewed, sent to oneself and reset', async () => {
    const organization = await createOrganization({ ownerEmail: 'owner@example.com' })
    const browser = await enter(organization)
    const list = await browser.visit('/console/page/emails')
    expect(list.text).toContain('href="/console/page/emails/moved?locale=de"')
    const path = '/console/page/emails/moved'
    const page = await browser.visit(`${path}?locale=de`)
    expect(wordsOf(page)).toContain('Default: Bitte beachten Sie die neue Zeit.')
    expect(page.text).toContain('data-insert="{{start}}"')
    const bad = await browser.send(page, path, { locale: 'de', intro: 'Hallo {{vorname}}' })
    expect([bad.status, /id="intro-error"/.test(bad.text)]).toEqual([422, true])
    expect(bad.text).toContain('Hallo {{vorname}}')
    const done = await browser.send(page, path, { locale: 'de', intro: 'Neue Zeit für {{invitee_name}}' })
    const saved = await browser.follow(done)
    expect(saved.text).toContain(
      '<del>Bitte beachten Sie die neue Zeit.</del><ins>Neue Zeit für {{invitee_name}}</ins>',
    )
    const word = { locale: 'de', intro: 'Bitte beachten Sie die ganz neue Zeit.' }
    const again = await browser.follow(await browser.send(page, path, word))
    expect(again.text).toContain('Bitte beachten Sie die <ins>ganz </ins>neue Zeit.')
    await browser.send(page, path, { locale: 'de', intro: 'Neue Zeit für {{invitee_name}}' })
    const frame = await browser.visit(`${path}/preview?locale=de`)
    expect(frame.text).toContain('Neue Zeit für Ada Lovelace')
    expect(frame.headers.get('Content-Security-Policy')).toMatch(
      /default-src 'none';.*frame-ancestors 'self'; sandbox$/,
    )
    expect(frame.headers.get('X-Frame-Options')).toBe('SAMEORIGIN')
    const sent = await browser.send(saved, `${path}/send`, { locale: 'de' })
    expect(wordsOf(await browser.follow(sent))).toContain('Sent to owner@example.com')
    const reset = await browser.send(saved, `${path}/reset`, { locale: 'de' })
    expect((await browser.follow(reset)).text).not.toContain('<del')
    expect((await browser.visit('/console/page/emails/birthday')).status).toBe(404)
  })

  it('are read only for members, who send nothing', async () => {
    const organization = await createOrganization()
    const { userId } = await memberWithRole(organization, 'member')
    const browser = await enter(organization, userId)
    const page = await browser.visit('/console/page/emails/moved')
    expect(page.text).toContain('disabled')
    const csrf = /name="csrf" value="([^"]*)"/.exec(page.text)![1]!
    for (const path of ['', '/send', '/reset', '/preview']) {
      const isForm = path !== '/preview'
      const options = isForm ? { form: { csrf, intro: 'x' } } : {}
      expect((await browser.visit(`/console/page/emails/moved${path}`, options)).status).toBe(403)
    }
  })
})
