import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import type { Env } from '../../src/env.ts'
import worker from '../../src/index.ts'
import { call, callAsService } from '../support/app.ts'
import { databaseThrough } from '../support/database-through.ts'
import { deleteToTheEnd, deletionPath } from '../support/deletions.ts'
import { createOrganization } from '../support/factories.ts'
import { imageAt, imageBytes, imagesOf, upload } from '../support/images.ts'
import { keyOfMember, memberWithRole } from '../support/members.ts'
import { exportOf, forgetEverything, importText, textOf } from '../support/moves.ts'

const LOGO = '/v1/branding/logo'
const DARK = '/v1/branding/logo-dark'
const KB = 1024
const PUBLIC_URL = (env as unknown as Env).PUBLIC_URL
const { BUCKET } = env as unknown as { readonly BUCKET: R2Bucket }

const branding = async (key: string) => (await call('GET', '/v1/branding', { key })).body

function withBucket(request: Request) {
  const bound = { ...env, MEDIA: BUCKET } as unknown as Env
  return worker.fetch(request as Parameters<typeof worker.fetch>[0], bound)
}

/** A service of its own, which stores an image once `first` is done. */
function storingAfter(first: () => Promise<unknown>) {
  let isWaiting = true
  const DB = databaseThrough(async (ask, queries) => {
    if (isWaiting && queries.some((query) => query.startsWith('insert into "images"'))) {
      isWaiting = false
      await first()
    }
    return ask()
  })
  const bound = { ...env, DB, MEDIA: BUCKET } as unknown as Env
  return (request: Request) => worker.fetch(request as Parameters<typeof worker.fetch>[0], bound)
}

async function keysOf(organizationId: string): Promise<string[]> {
  return (await BUCKET.list({ prefix: `${organizationId}/` })).objects.map(({ key }) => key)
}

async function logOf(key: string, type: string): Promise<unknown[]> {
  const { body } = await call('GET', `/v1/activity?resource_type=${type}`, { key })
  return body.data.map((entry: { changes: unknown }) => entry.changes)
}

describe('an uploaded logo', () => {
  it.each([
    ['png', 'image/png', 'png'],
    ['jpeg', 'image/jpeg', 'jpg'],
    ['webp', 'image/webp', 'webp'],
  ] as const)('is served as %s by its bytes, whatever it is called', async (format, type, extension) => {
    const { liveKey } = await createOrganization()
    const bytes = imageBytes(format)
    const headers = { 'Content-Type': 'text/html' }
    const put = await upload(LOGO, liveKey, bytes, { headers })
    expect(put.status).toBe(200)
    const url = put.body.logo_url
    expect(url).toMatch(new RegExp(`^${PUBLIC_URL}/media/[0-9a-f]{64}\\.${extension}$`))
    expect((await branding(liveKey)).logo_url).toBe(url)
    const served = await imageAt(url)
    expect([served.status, served.bytes]).toEqual([200, bytes])
    expect(Object.fromEntries(served.headers)).toMatchObject({
      'content-type': type,
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
    })
    expect((await imageAt(url.replace(/\w+$/, 'gif'))).status).toBe(404)
  })

  it('is of each background on its own, and is replaced and removed', async () => {
    const { id, liveKey } = await createOrganization()
    const first = (await upload(LOGO, liveKey, imageBytes('png'))).body.logo_url
    const dark = (await upload(DARK, liveKey, imageBytes('png'))).body.logo_dark_url
    const second = (await upload(LOGO, liveKey, imageBytes('png'))).body.logo_url
    expect(await branding(liveKey)).toMatchObject({ logo_url: second, logo_dark_url: dark })
    expect((await imageAt(first)).status).toBe(404)
    expect(await imagesOf(id)).toBe(2)
    expect((await call('DELETE', LOGO, { key: liveKey })).status).toBe(204)
    expect(await branding(liveKey)).toMatchObject({ logo_url: null, logo_dark_url: dark })
    expect([(await imageAt(second)).status, (await imageAt(dark)).status]).toEqual([404, 200])
    expect((await call('DELETE', DARK, { key: liveKey })).status).toBe(204)
    expect((await call('DELETE', DARK, { key: liveKey })).status).toBe(204)
    expect(await imagesOf(id)).toBe(0)
    expect(await logOf(liveKey, 'branding')).toEqual([
      { logo_dark_url: null },
      { logo_url: null },
      { logo_url: second },
      { logo_dark_url: dark },
      { logo_url: first },
    ])
  })

  it('goes once the branding names another address, and stays with what keeps it', async () => {
    const { id, liveKey } = await createOrganization()
    const { body } = await upload(LOGO, liveKey, imageBytes('webp'))
    const patch = (change: object) => call('PATCH', '/v1/branding', { key: liveKey, body: change })
    await patch({ logo_url: body.logo_url, logo_alt_text: 'Acme' })
    expect(await imagesOf(id)).toBe(1)
    await patch({ logo_url: 'https://cdn.example.com/logo.png' })
    expect(await imagesOf(id)).toBe(0)
    expect((await imageAt(body.logo_url)).status).toBe(404)
  })

  it('is refused if it is empty, too large or no image, and leaves nothing behind', async () => {
    const { id, liveKey } = await createOrganization()
    const svg = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>')
    const large = imageBytes('png', 200 * KB + 1)
    // Of a stream nobody knows the length before its end.
    const streamed = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(large)
        controller.close()
      },
    })
    const wrong = [
      [svg, 'Must be a PNG, JPEG or WebP image.'],
      [new Uint8Array(0), 'Is required.'],
      [large, 'Must be at most 200 KiB.'],
      [streamed, 'Must be at most 200 KiB.'],
    ] as const
    for (const [bytes, text] of wrong) {
      const { status, body } = await upload(LOGO, liveKey, bytes)
      expect([status, body.error.code, body.error.details]).toEqual([400, 'validation_error', { body: text }])
    }
    const packed = await upload(LOGO, liveKey, imageBytes('png'), { headers: { 'Content-Encoding': 'gzip' } })
    expect(packed.status).toBe(400)
    expect([await imagesOf(id), (await branding(liveKey)).logo_url]).toEqual([0, null])
    expect((await upload(LOGO, liveKey, imageBytes('png', 200 * KB))).status).toBe(200)
  })

  it('is for admins in live mode', async () => {
    const organization = await createOrganization()
    const key = await keyOfMember(organization, await memberWithRole(organization, 'member'))
    for (const path of [LOGO, DARK]) {
      for (const one of [key, organization.testKey]) {
        expect((await upload(path, one, imageBytes('png'))).status).toBe(403)
        expect((await call('DELETE', path, { key: one })).status).toBe(403)
      }
    }
    expect(await imagesOf(organization.id)).toBe(0)
  })

  it('is also served while another organization shows the same', async () => {
    const [one, other] = [await createOrganization(), await createOrganization()]
    const bytes = imageBytes('png')
    const { body } = await upload(LOGO, one.liveKey, bytes)
    expect((await upload(LOGO, other.liveKey, bytes)).body.logo_url).toBe(body.logo_url)
    await call('DELETE', LOGO, { key: one.liveKey })
    expect((await imageAt(body.logo_url)).status).toBe(200)
  })
})

describe('an uploaded portrait', () => {
  it('is changed by the member themself and by admins, and by nobody else', async () => {
    const organization = await createOrganization()
    const [ada, bob] = [
      await memberWithRole(organization, 'member'),
      await memberWithRole(organization, 'member'),
    ]
    const path = `/v1/organizations/${organization.id}/members/${ada.id}`
    const [adas, bobs] = [await keyOfMember(organization, ada), await keyOfMember(organization, bob)]
    const put = await upload(`${path}/avatar`, adas, imageBytes('jpeg'))
    expect([put.status, put.body.id]).toEqual([200, ada.id])
    expect((await imageAt(put.body.avatar_url)).status).toBe(200)
    expect((await upload(`${path}/avatar`, bobs, imageBytes('png'))).status).toBe(403)
    expect((await call('DELETE', `${path}/avatar`, { key: bobs })).status).toBe(403)
    const second = await upload(`${path}/avatar`, organization.liveKey, imageBytes('png'))
    expect((await call('GET', path, { key: bobs })).body.avatar_url).toBe(second.body.avatar_url)
    expect((await imageAt(put.body.avatar_url)).status).toBe(404)
    expect((await call('DELETE', `${path}/avatar`, { key: adas })).status).toBe(204)
    expect((await call('GET', path, { key: adas })).body.avatar_url).toBe(null)
    expect(await imagesOf(organization.id)).toBe(0)
    expect(await logOf(organization.liveKey, 'member')).toEqual([
      { avatar_url: null },
      { avatar_url: second.body.avatar_url },
      { avatar_url: put.body.avatar_url },
    ])
  })

  it('goes with another address and with the member', async () => {
    const organization = await createOrganization()
    const key = organization.liveKey
    const ada = await memberWithRole(organization, 'member')
    const path = `/v1/organizations/${organization.id}/members/${ada.id}`
    await upload(`${path}/avatar`, key, imageBytes('png'))
    await call('PATCH', path, { key, body: { avatar_url: null } })
    expect(await imagesOf(organization.id)).toBe(0)
    await upload(`${path}/avatar`, key, imageBytes('png'))
    expect((await call('DELETE', path, { key })).status).toBe(204)
    expect(await imagesOf(organization.id)).toBe(0)
  })
})

describe('with a bucket', () => {
  it('takes 2 MB, and deletes what is replaced and removed', async () => {
    const { id, liveKey } = await createOrganization()
    const options = { send: withBucket }
    const large = imageBytes('png', 2048 * KB)
    const { body } = await upload(LOGO, liveKey, large, options)
    expect(await keysOf(id)).toHaveLength(1)
    const served = await imageAt(body.logo_url, withBucket)
    expect([served.status, served.headers.get('Content-Type')]).toEqual([200, 'image/png'])
    expect(served.bytes.byteLength).toBe(large.byteLength)
    expect(
      (await upload(LOGO, liveKey, imageBytes('png', 2048 * KB + 1), options)).body.error.details,
    ).toEqual({ body: 'Must be at most 2048 KiB.' })
    const next = await upload(LOGO, liveKey, imageBytes('jpeg', 300 * KB), options)
    expect(await keysOf(id)).toHaveLength(1)
    expect((await imageAt(next.body.logo_url, withBucket)).status).toBe(200)
    await upload(LOGO, liveKey, imageBytes('jpeg'), options)
    expect([await keysOf(id), await imagesOf(id)]).toEqual([[], 1])
    await upload(LOGO, liveKey, imageBytes('jpeg', 300 * KB), options)
    const removed = new Request(`https://holdfast.test${LOGO}`, {
      method: 'DELETE',
      headers: { Authorization: `Bearer ${liveKey}` },
    })
    expect((await withBucket(removed)).status).toBe(204)
    expect([await keysOf(id), await imagesOf(id)]).toEqual([[], 0])
  })
})

describe('of two uploads at once, the later one', () => {
  it.each([
    ['in the database', 64],
    ['in the bucket', 300 * KB],
  ])('is shown %s, also if it was shown before', async (_, size) => {
    const { id, liveKey } = await createOrganization()
    const image = imageBytes('png', size)
    await upload(LOGO, liveKey, image, { send: withBucket })
    const other = () => upload(LOGO, liveKey, imageBytes('png', size), { send: withBucket })
    const { body } = await upload(LOGO, liveKey, image, { send: storingAfter(other) })
    const { logo_url: url } = await branding(liveKey)
    expect(url).toBe(body.logo_url)
    expect((await imageAt(url, withBucket)).bytes).toEqual(image)
    expect(await imagesOf(id)).toBe(1)
  })

  it('keeps its object, and the objects that are left over go with the organization', async () => {
    const { id, liveKey } = await createOrganization()
    const size = 300 * KB
    const other = () => upload(LOGO, liveKey, imageBytes('png', size), { send: withBucket })
    const image = imageBytes('png', size)
    const { body } = await upload(LOGO, liveKey, image, { send: storingAfter(other) })
    expect((await imageAt(body.logo_url, withBucket)).bytes).toEqual(image)
    expect((await keysOf(id)).length).toBeGreaterThan(0)
    vi.setSystemTime(Date.now() + 10 * 60_000)
    await upload(LOGO, liveKey, imageBytes('png', size), { send: withBucket })
    vi.useRealTimers()
    expect(await keysOf(id)).toHaveLength(1)
  })
})

describe('a move', () => {
  it('brings uploaded images along, at the address of the new place', async () => {
    const organization = await createOrganization()
    const ada = await memberWithRole(organization, 'member')
    const path = `/v1/organizations/${organization.id}/members/${ada.id}`
    const logo = (await upload(LOGO, organization.liveKey, imageBytes('png'))).body.logo_url
    const avatar = (await upload(`${path}/avatar`, organization.liveKey, imageBytes('webp'))).body.avatar_url
    const lines = await exportOf(organization.liveKey)
    expect(lines.filter(({ type }) => type === 'image')).toHaveLength(2)
    const elsewhere = JSON.parse(JSON.stringify(lines).replaceAll(PUBLIC_URL, 'https://old.example.com'))
    await forgetEverything()
    expect((await importText(textOf(elsewhere))).status).toBe(201)
    expect((await branding(organization.liveKey)).logo_url).toBe(logo)
    expect((await call('GET', path, { key: organization.liveKey })).body.avatar_url).toBe(avatar)
    expect([(await imageAt(logo)).status, (await imageAt(avatar)).status]).toEqual([200, 200])
  })

  it('takes no image that is another one than its hash says', async () => {
    const organization = await createOrganization()
    await upload(LOGO, organization.liveKey, imageBytes('png'))
    const lines = await exportOf(organization.liveKey)
    await forgetEverything()
    const at = lines.findIndex(({ type }) => type === 'image') + 1
    const wrong = [
      ['hash', { hash: 'a'.repeat(64) }],
      ['format', { format: 'webp' }],
      ['content', { content: null }],
      ['content', { content: '!' }],
    ] as const
    for (const [field, change] of wrong) {
      const changed = lines.map((line) => (line.type === 'image' ? { ...line, ...change } : line))
      const { status, body } = await importText(textOf(changed))
      expect([status, Object.keys(body.error.details)]).toEqual([400, [`lines.${at}.${field}`]])
    }
    expect((await importText(textOf(lines))).status).toBe(201)
  })
})

it('goes from the bucket with its organization', async () => {
  const organization = await createOrganization()
  await upload(LOGO, organization.liveKey, imageBytes('png', 300 * KB), { send: withBucket })
  expect(await keysOf(organization.id)).toHaveLength(1)
  await callAsService('DELETE', deletionPath(organization.id))
  const surroundings = env as { MEDIA?: R2Bucket }
  surroundings.MEDIA = BUCKET
  try {
    await deleteToTheEnd(organization.id)
  } finally {
    delete surroundings.MEDIA
  }
  expect([await keysOf(organization.id), await imagesOf(organization.id)]).toEqual([[], 0])
})
