import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import worker from '../../src/index.ts'
import { localeFor } from '../../src/platform/i18n/locale.ts'
import { call, callAsService, freshAddress } from '../support/app.ts'
import { countedEnv } from '../support/counted-env.ts'
import { createEventType } from '../support/factories.ts'
import { addHost, createMember } from '../support/hosts.ts'
import { manyListed } from '../support/many-listed.ts'
import { linksOf, visit, wordsOf } from '../support/pages.ts'

const MOST_BYTES = 60_000
const LANGUAGES = ['en', 'de', 'fr', 'es', 'ja', 'ar'] as const

/** The same in a service of which everything is counted. */
async function countedVisit(path: string, headers: Readonly<Record<string, string>> = {}) {
  const counted = countedEnv()
  const request = new Request(`https://holdfast.test${path}`, {
    headers: { 'CF-Connecting-IP': freshAddress(), ...headers },
  })
  const response = await worker.fetch(request as Parameters<typeof worker.fetch>[0], counted.env)
  const text = await response.text()
  const rows = counted.ran.reduce((sum, { read }) => sum + read, 0)
  return { status: response.status, headers: response.headers, text, rows, trips: counted.trips.count }
}

function eventLinks(page: { readonly text: string }, path: string): string[] {
  return linksOf(page as never).filter((link) => link.startsWith(`${path}/`))
}

describe('the listing of a thousand event types', () => {
  it('shows each of them once, on pages of at most 60 KB that work without a script', async () => {
    const { path } = await manyListed(999)
    const seen: string[] = []
    let next: string | undefined = path
    for (let pages = 0; next !== undefined && pages < 30; pages++) {
      const page = await visit(next)
      expect(page.status).toBe(200)
      expect(new TextEncoder().encode(page.text).length).toBeLessThan(MOST_BYTES)
      seen.push(...eventLinks(page, path))
      next = /rel="next" href="([^"]+)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&')
    }
    expect([seen.length, new Set(seen).size]).toEqual([1_000, 1_000])
  })

  it('keeps groups together, and begins a page within a group with its heading', async () => {
    const { path } = await manyListed(120)
    const headings = async (page: number) =>
      [...(await visit(`${path}?page=${page}`)).text.matchAll(/<h2><bdi>(Department \d+)<\/bdi><\/h2>/g)].map(
        ([, name]) => name,
      )
    const [one, two, three] = [await headings(1), await headings(2), await headings(3)]
    expect(new Set([...one, ...two, ...three]).size).toBe(20)
    for (const page of [one, two, three]) expect(new Set(page).size).toBe(page.length)
    expect([one.at(-1), two.at(-1)]).toEqual([two[0], three[0]])
  })

  it.each(LANGUAGES)('names the page and leads to the others in the language %s', async (language) => {
    const { path } = await manyListed(120)
    const page = await visit(`${path}?lang=${language}&page=2&embed=1&theme=dark`)
    const { texts } = localeFor(language, null)
    expect(wordsOf(page)).toContain(texts.pageOf.replace('{page}', '2').replace('{pages}', '3'))
    const links = linksOf(page).filter((link) => link.startsWith(`${path}?`) && /embed=1/.test(link))
    expect(links.some((link) => link.includes('page=3') && link.includes('theme=dark'))).toBe(true)
    expect(page.text).toContain(`rel="canonical" href="${env.PUBLIC_URL}${path}?page=2"`)
    for (const link of eventLinks(page, path)) expect(link).not.toContain('page=')
  })

  it('shows the last page for a later one, and the first for none that is a number', async () => {
    const { path } = await manyListed(120)
    const [last, late] = [await visit(`${path}?page=3`), await visit(`${path}?page=99`)]
    expect(eventLinks(late, path)).toEqual(eventLinks(last, path))
    const first = eventLinks(await visit(path), path)
    for (const odd of ['0', '-1', '1.5', 'x', '1e9']) {
      expect(eventLinks(await visit(`${path}?page=${odd}`), path)).toEqual(first)
    }
  })

  it('has pages in Markdown, too', async () => {
    const { path } = await manyListed(999)
    const seen: string[] = []
    let next: string | undefined = `${path}.md`
    for (let pages = 0; next !== undefined && pages < 30; pages++) {
      const page = await visit(next)
      expect(new TextEncoder().encode(page.text).length).toBeLessThan(MOST_BYTES)
      seen.push(...[...page.text.matchAll(/^- \[([^\]]+)\]\(/gm)].map(([, slug]) => slug!))
      next = /\[Next page\]\([^)]*(\/book\/[^)]+)\)/.exec(page.text)?.[1]
    }
    expect([seen.length, new Set(seen).size]).toEqual([1_000, 1_000])
  })

  it('has pages as JSON, in the same order whatever their length', async () => {
    const { slug } = await manyListed(999)
    const listing = `/v1/public/booking-page/${slug}`
    const idsWith = async (limit: number) => {
      const ids: string[] = []
      for (let after = ''; ; ) {
        const { status, body } = await call('GET', `${listing}?limit=${limit}${after}`)
        expect(status).toBe(200)
        expect(JSON.stringify(body).length).toBeLessThan(MOST_BYTES)
        ids.push(...body.event_types.map(({ id }: { id: string }) => id))
        if (!body.has_more) return ids
        after = `&starting_after=${ids.at(-1)}`
      }
    }
    const [all, others] = [await idsWith(100), await idsWith(73)]
    expect([all.length, new Set(all).size]).toEqual([1_000, 1_000])
    expect(others).toEqual(all)
    const unknown = await call('GET', `${listing}?starting_after=${crypto.randomUUID()}`)
    expect([unknown.status, unknown.body.error.details]).toEqual([
      400,
      { starting_after: expect.any(String) },
    ])
  })
})

describe('the tag of a listing', () => {
  it('is checked in one round trip of a few rows, before anything else is read', async () => {
    const { path, slug } = await manyListed(999)
    for (const address of [path, `${path}.md`, `/v1/public/booking-page/${slug}`]) {
      const first = await countedVisit(address)
      const tag = first.headers.get('etag')!
      const again = await countedVisit(address, { 'If-None-Match': tag })
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', tag])
      expect([again.trips, again.rows <= 5]).toEqual([1, true])
      // The order is known by then: a page reads its own event types only.
      const known = await countedVisit(address)
      expect([known.status, known.trips]).toEqual([200, 1])
      expect(known.rows).toBeLessThanOrEqual(450)
      const listed = await countedVisit(address, { 'If-None-Match': `"x", ${tag}` })
      expect([listed.status, listed.headers.get('content-security-policy')]).toEqual([304, null])
    }
  })

  it('leaves the browser the headers of the page it has, which may be in a frame', async () => {
    const { path } = await manyListed(1)
    for (const address of [path, `${path}?embed=1`, `${path}.md`]) {
      const tag = (await visit(address)).headers.get('etag')!
      const { status, headers } = await visit(address, { headers: { 'If-None-Match': tag } })
      expect(status).toBe(304)
      expect([headers.get('content-security-policy'), headers.get('x-frame-options')]).toEqual([null, null])
    }
  })

  it('is another one for another page, language, look and form', async () => {
    const { path } = await manyListed(120)
    const addresses = [
      path,
      `${path}?page=2`,
      `${path}?lang=de`,
      `${path}?theme=dark`,
      `${path}?embed=1`,
      `${path}.md`,
    ]
    const tags = await Promise.all(addresses.map(async (one) => (await visit(one)).headers.get('etag')))
    expect(new Set(tags).size).toBe(addresses.length)
    const zone = await visit(path, { headers: { Cookie: 'hf_clock=12' } })
    expect(tags).not.toContain(zone.headers.get('etag'))
  })

  it('changes with all that the listing shows, and with nothing else', async () => {
    const { organization, path, id } = await manyListed(3)
    const key = organization.liveKey
    const member = await createMember(organization)
    let tag = (await visit(path)).headers.get('etag')!
    const isSame = async () => {
      const page = await visit(path, { headers: { 'If-None-Match': tag } })
      tag = page.headers.get('etag')!
      return page.status === 304
    }
    const change = (body: object) => call('PATCH', `/v1/event-types/${id}`, { key, body })
    const changes: (() => Promise<unknown>)[] = [
      () => change({ title: 'Another' }),
      () => change({ description: 'Another' }),
      () => change({ duration_minutes: 45 }),
      () => change({ location: 'Berlin' }),
      () => change({ color: '#123456' }),
      () => change({ group: 'Others' }),
      () => change({ position: 7 }),
      () => change({ slug: 'another' }),
      () => change({ booking_page_enabled: false }),
      () => change({ booking_page_enabled: true }),
      () => change({ active: false }),
      () => change({ active: true }),
      () => addHost(key, id, member.id),
      () => env.DB.prepare("UPDATE members SET name = 'Ada' WHERE id = ?").bind(member.id).run(),
      () =>
        env.DB.prepare("UPDATE members SET avatar_url = 'https://a.test/a.png' WHERE id = ?")
          .bind(member.id)
          .run(),
      () => call('PATCH', '/v1/branding', { key, body: { accent_color: '#654321' } }),
      () => callAsService('PATCH', `/v1/organizations/${organization.id}`, { body: { name: 'New name' } }),
      () => env.DB.prepare('DELETE FROM event_type_hosts WHERE event_type_id = ?').bind(id).run(),
      () => createEventType(key, { booking_page_enabled: true }),
      () => call('DELETE', `/v1/event-types/${id}`, { key }),
    ]
    expect(await isSame()).toBe(true)
    const unseen: string[] = []
    for (const act of changes) {
      await act()
      if (await isSame()) unseen.push(String(act))
    }
    expect(unseen).toEqual([])
    await createEventType(organization.testKey, { booking_page_enabled: true })
    expect(await isSame()).toBe(true)
  })
})
