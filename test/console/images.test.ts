import { exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { call } from '../support/app.ts'
import { type Browser, enter, openBrowser } from '../support/console.ts'
import { createOrganization, type Organization } from '../support/factories.ts'
import { imageAt, imageBytes, imagesOf, upload } from '../support/images.ts'
import { memberWithRole } from '../support/members.ts'
import { browserRequest, formOf, SITE, type Visited, wordsOf } from '../support/pages.ts'

const PAGE = '/console/page'
const KB = 1024

/** What the form sends with a chosen file. */
function partsOf(page: Visited, action: string, bytes?: Uint8Array<ArrayBuffer>, more: object = {}) {
  const parts = new FormData()
  const { pairs } = formOf(page, action)
  for (const [name, value] of pairs) if (name !== 'file') parts.append(name, value)
  for (const [name, value] of Object.entries(more)) parts.append(name, value)
  parts.append('file', new File(bytes ? [bytes] : [], bytes ? 'logo.svg' : ''))
  return parts
}

async function send(browser: Browser, page: Visited, action: string, bytes?: Uint8Array<ArrayBuffer>) {
  return browser.visit(action, { parts: partsOf(page, action, bytes) })
}

const branding = async ({ liveKey }: Organization) =>
  (await call('GET', '/v1/branding', { key: liveKey })).body

async function onPage() {
  const organization = await createOrganization()
  const browser = await enter(organization)
  return { organization, browser, page: await browser.visit(PAGE) }
}

describe('the logo in the console', () => {
  it.each([
    ['logo', 'logo_url'],
    ['logo-dark', 'logo_dark_url'],
  ] as const)('is uploaded as %s, shown and removed', async (logo, field) => {
    const { organization, browser, page } = await onPage()
    const action = `${PAGE}/${logo}`
    expect(page.text).toContain('enctype="multipart/form-data"')
    const bytes = imageBytes('webp')
    const done = await send(browser, page, action, bytes)
    expect([done.status, done.headers.get('location')]).toEqual([303, `${PAGE}?done=1`])
    const url = (await branding(organization))[field]
    expect((await imageAt(url)).bytes).toEqual(bytes)
    const shown = await browser.follow(done)
    expect(shown.text).toContain(`src="${url}"`)
    const parts = partsOf(shown, action, undefined, { remove: '1' })
    expect((await browser.visit(action, { parts })).status).toBe(303)
    expect([(await branding(organization))[field], await imagesOf(organization.id)]).toEqual([null, 0])
  })

  it('stays when the other settings of the page are saved, and goes when an address is typed', async () => {
    const { organization, browser, page } = await onPage()
    await send(browser, page, `${PAGE}/logo`, imageBytes('png'))
    const { logo_url: first } = await branding(organization)
    const open = await browser.visit(PAGE)
    expect(formOf(open, PAGE).fields.logo_url).toBe('')
    await send(browser, open, `${PAGE}/logo`, imageBytes('png'))
    const { logo_url: second } = await branding(organization)
    const saved = await browser.send(open, PAGE, { logo_alt_text: 'Acme' })
    expect(saved.status).toBe(303)
    expect(await branding(organization)).toMatchObject({ logo_url: second, logo_alt_text: 'Acme' })
    expect(second).not.toBe(first)
    const elsewhere = 'https://pictures.example/logo.png'
    await browser.send(open, PAGE, { logo_url: elsewhere })
    expect((await branding(organization)).logo_url).toBe(elsewhere)
    expect(await imagesOf(organization.id)).toBe(0)
    expect((await browser.visit(PAGE)).text).toContain(`value="${elsewhere}"`)
  })

  it('is refused at its field in the language of the reader, and leaves what was there', async () => {
    const { organization, browser, page } = await onPage()
    const action = `${PAGE}/logo`
    await send(browser, page, action, imageBytes('png'))
    const before = await branding(organization)
    const svg = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>')
    for (const [bytes, english, german] of [
      [svg, 'Must be a PNG, JPEG or WebP image.', 'Nur ein Bild in PNG, JPEG oder WebP.'],
      [imageBytes('png', 201 * KB), 'Must be at most 200 KiB.', 'Höchstens 200 KiB.'],
      [imageBytes('png', 900 * KB), 'Must be at most 200 KiB.', 'Höchstens 200 KiB.'],
      [undefined, 'Choose an image first.', 'Wählen Sie zuerst ein Bild aus.'],
    ] as const) {
      for (const [language, words] of [
        ['en', english],
        ['de', german],
      ] as const) {
        const parts = partsOf(page, action, bytes)
        const refused = await browser.visit(action, { parts, headers: { 'Accept-Language': language } })
        expect([refused.status, wordsOf(refused).includes(words)]).toEqual([422, true])
        expect(refused.text).toMatch(/id="logo_file-error"/)
        expect(refused.text).not.toMatch(/id="logo_dark_file-error"/)
      }
    }
    expect(await branding(organization)).toEqual(before)
    expect(await imagesOf(organization.id)).toBe(1)
  })

  it('is read no further than its limit, and not at all without a session', async () => {
    const { browser, page } = await onPage()
    const { csrf } = formOf(page, `${PAGE}/logo`).fields
    const head = `--b\r\nContent-Disposition: form-data; name="csrf"\r\n\r\n${csrf}\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n`
    const sendEndless = async (from: Browser) => {
      let sent = 0
      const body = new ReadableStream<Uint8Array>(
        {
          start: (to) => to.enqueue(new TextEncoder().encode(head)),
          pull: (to) => {
            sent += 64 * KB
            to.enqueue(imageBytes('png', 64 * KB))
            if (sent > 64 * KB * KB) to.close()
          },
        },
        { highWaterMark: 0 },
      )
      const Cookie = [...from.cookies].map((pair) => pair.join('=')).join('; ')
      const { headers } = browserRequest(`${PAGE}/logo`, { form: {}, headers: { Cookie } })
      headers.set('Content-Type', 'multipart/form-data; boundary=b')
      const request = new Request(`${SITE}${PAGE}/logo`, {
        method: 'POST',
        headers,
        body,
        redirect: 'manual',
      })
      const answer = await exports.default.fetch(request)
      return [answer.status, /logo_file-error/.test(await answer.text()), sent] as const
    }
    const [status, isAtField, sent] = await sendEndless(browser)
    expect([status, isAtField]).toEqual([422, true])
    expect(sent).toBeLessThan(1024 * KB)
    const [unknown, , nothing] = await sendEndless(openBrowser())
    expect(unknown).toBe(303)
    expect(nothing).toBeLessThanOrEqual(128 * KB)
  })

  it('needs the token of the form, an administrator, and a screen that takes files', async () => {
    const { organization, browser, page } = await onPage()
    const forged = partsOf(page, `${PAGE}/logo`, imageBytes('png'))
    forged.set('csrf', 'x')
    expect((await browser.visit(`${PAGE}/logo`, { parts: forged })).status).toBe(403)
    const elsewhere = { 'Sec-Fetch-Site': 'cross-site' }
    const parts = partsOf(page, `${PAGE}/logo`, imageBytes('png'))
    expect((await browser.visit(`${PAGE}/logo`, { parts, headers: elsewhere })).status).toBe(403)
    expect((await browser.visit(PAGE, { parts: partsOf(page, `${PAGE}/logo`) })).status).toBe(403)
    const torn = { 'Content-Type': 'multipart/form-data; boundary=other' }
    const unread = partsOf(page, `${PAGE}/logo`, imageBytes('png'))
    expect((await browser.visit(`${PAGE}/logo`, { parts: unread, headers: torn })).status).toBe(403)
    const { userId } = await memberWithRole(organization, 'member')
    const member = await enter(organization, userId)
    const own = await member.visit(PAGE)
    expect(own.text).not.toContain('type="file"')
    const csrf = /name="csrf" value="([^"]*)"/.exec(own.text)![1]!
    const file = partsOf(page, `${PAGE}/logo`, imageBytes('png'))
    file.set('csrf', csrf)
    expect((await member.visit(`${PAGE}/logo`, { parts: file })).status).toBe(403)
    expect(await imagesOf(organization.id)).toBe(0)
  })
})

describe('the picture of a member', () => {
  it('is uploaded and removed by an administrator, and by the member in their settings', async () => {
    const organization = await createOrganization()
    const { id, userId } = await memberWithRole(organization, 'viewer')
    const path = `/v1/organizations/${organization.id}/members/${id}`
    const avatar = async () => (await call('GET', path, { key: organization.liveKey })).body.avatar_url
    const admin = await enter(organization)
    const at = `/console/team/${id}`
    const done = await send(admin, await admin.visit(at), `${at}/picture`, imageBytes('jpeg'))
    const first = await avatar()
    expect((await admin.follow(done)).text).toContain(`src="${first}"`)
    const member = await enter(organization, userId)
    const settings = await member.visit('/console/settings')
    expect(settings.text).toContain(`src="${first}"`)
    await send(member, settings, '/console/settings/picture', imageBytes('png'))
    const second = await avatar()
    expect((await imageAt(second)).status).toBe(200)
    const renamed = await member.send(settings, '/console/settings', { name: 'Grace' })
    expect([renamed.status, await avatar()]).toEqual([303, second])
    const wrong = await send(member, settings, '/console/settings/picture', new Uint8Array(9))
    expect([wrong.status, /id="picture_file-error"/.test(wrong.text)]).toEqual([422, true])
    const parts = partsOf(settings, '/console/settings/picture', undefined, { remove: '1' })
    expect((await member.visit('/console/settings/picture', { parts })).status).toBe(303)
    expect([await avatar(), await imagesOf(organization.id)]).toEqual([null, 0])
  })

  it('of a colleague is not for members to change', async () => {
    const organization = await createOrganization()
    const { id } = await memberWithRole(organization, 'member')
    const { userId } = await memberWithRole(organization, 'member')
    await upload(
      `/v1/organizations/${organization.id}/members/${id}/avatar`,
      organization.liveKey,
      imageBytes('png'),
    )
    const other = await enter(organization, userId)
    const at = `/console/team/${id}`
    expect((await other.visit(at)).text).not.toContain('type="file"')
    const parts = partsOf(await other.visit('/console/settings'), '/console/settings/picture', undefined, {
      remove: '1',
    })
    expect((await other.visit(`${at}/picture`, { parts })).status).toBe(403)
    expect(await imagesOf(organization.id)).toBe(1)
  })
})
