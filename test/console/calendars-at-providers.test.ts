import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { call } from '../support/app.ts'
import { pointToWorld } from '../support/connected.ts'
import { type Browser, enter } from '../support/console.ts'
import { consoleTrips } from '../support/console-trips.ts'
import { createOrganization, type Organization, unique } from '../support/factories.ts'
import { memberWithRole } from '../support/members.ts'
import { formOf, type Visited, wordsOf } from '../support/pages.ts'
import type { World } from '../support/world.ts'

const google = pointToWorld('calendar_a')
const microsoft = pointToWorld('calendar_b')
const zoom = pointToWorld('video_a')

async function calendarsOf({ liveKey: key }: Organization): Promise<any[]> {
  return (await call('GET', '/v1/calendars', { key })).body.data
}

/** Where the page leads on, by itself. */
function leadsTo({ text }: Visited): string {
  return /<meta http-equiv="refresh" content="0;url=([^"]+)"/.exec(text)![1]!.replaceAll('&amp;', '&')
}

/** Presses the button of a way, and gives permission at the provider. */
async function goTo(browser: Browser, way: string, world: World, as: string, says: 'yes' | 'no' = 'yes') {
  const from = ['google', 'microsoft'].includes(way) ? '/console/calendars/connect' : '/console/calendars'
  const left = await browser.send(await browser.visit(from), `/console/calendars/connect/${way}`)
  expect(left.status).toBe(200)
  const { pathname, search } = await world.consent(leadsTo(left), as, says)
  return pathname + search
}

const someone = () => `${unique('ada')}@example.com`

describe('an account of Google or Microsoft', () => {
  it.each([
    ['google', google, 'calendar_a'],
    ['microsoft', microsoft, 'calendar_b'],
  ] as const)('is connected from the console and comes back to it: %s', async (way, world, provider) => {
    const organization = await createOrganization()
    const browser = await enter(organization)
    const email = someone()
    const back = await browser.visit(await goTo(browser, way, world, email))
    expect(back.status).toBe(303)
    const { pathname, search } = new URL(back.headers.get('location')!)
    expect(pathname + search).toBe('/console/calendars?calendar=connected')
    const page = await browser.visit(pathname + search)
    expect(wordsOf(page)).toContain('The calendar is connected')
    expect(wordsOf(page)).toContain(email)
    expect(await calendarsOf(organization)).toMatchObject([{ provider, account_email: email }])
    expect([...browser.cookies.keys()]).not.toContain('__Host-hf_connecting')
  })

  it('is confirmed again if another browser comes back without the cookie', async () => {
    const organization = await createOrganization()
    const browser = await enter(organization)
    const back = await goTo(browser, 'google', google, someone())
    browser.cookies.delete('__Host-hf_connecting')
    const asked = await browser.visit(back)
    expect([asked.status, asked.text.includes('value="decline"')]).toEqual([200, true])
    expect(await calendarsOf(organization)).toEqual([])
    const answer = formOf(asked, '/callback', 'value="connect"')
    const ended = await browser.visit(answer.action, { form: answer.fields })
    expect(ended.headers.get('location')).toContain('/console/calendars?calendar=connected')
    expect(await calendarsOf(organization)).toHaveLength(1)
  })

  it('is asked about where the state is another one than this browser went with', async () => {
    const organization = await createOrganization()
    const other = await enter(await createOrganization())
    const browser = await enter(organization)
    const theirs = await goTo(other, 'google', google, someone())
    await goTo(browser, 'google', google, someone())
    expect((await browser.visit(theirs)).text).toContain('value="decline"')
  })

  it('is not connected if its owner refuses, and leads back to the console', async () => {
    const organization = await createOrganization()
    const browser = await enter(organization)
    const back = await browser.visit(await goTo(browser, 'google', google, someone(), 'no'))
    const page = back.status === 303 ? await browser.visit(pathOf(back)) : back
    expect(page.text).toContain('/console/calendars')
    expect(wordsOf(page)).toMatch(/Nothing was connected/)
    expect(await calendarsOf(organization)).toEqual([])
  })

  it('comes back to the console where the organization sends its people to hosts of its own alone, which stay as they are', async () => {
    const organization = await createOrganization()
    await call('PATCH', `/v1/organizations/${organization.id}`, {
      key: env.SERVICE_KEY,
      body: { allowed_redirect_hosts: ['app.example.com'] },
    })
    const browser = await enter(organization)
    const back = await goTo(browser, 'google', google, someone())
    expect(pathOf(await browser.visit(back))).toBe('/console/calendars?calendar=connected')
    const again = await goTo(browser, 'google', google, someone())
    browser.cookies.delete('__Host-hf_connecting')
    const asked = await browser.visit(again)
    const answer = formOf(asked, '/callback', 'value="connect"')
    const ended = await browser.visit(answer.action, { form: answer.fields })
    expect([ended.status, ended.headers.get('location')]).toEqual([200, null])
  })

  it('of a colleague is connected by a link that they are sent', async () => {
    const organization = await createOrganization()
    const colleague = await memberWithRole(organization, 'member')
    const browser = await enter(organization)
    const choice = await browser.visit(`/console/calendars/connect?member=${colleague.id}`)
    const page = await browser.send(choice, '/console/calendars/connect/google')
    expect(page.text).not.toContain('http-equiv="refresh"')
    const url = /data-copy="([^"]+)"/.exec(page.text)![1]!.replaceAll('&amp;', '&')
    expect([...browser.cookies.keys()]).not.toContain('__Host-hf_connecting')
    const { pathname, search } = await google.consent(url, someone())
    const answer = formOf(await browser.visit(pathname + search), '/callback', 'value="connect"')
    await browser.visit(answer.action, { form: answer.fields })
    expect(await calendarsOf(organization)).toMatchObject([{ member_id: colleague.id }])
  })

  it('is connected by the member whose it is', async () => {
    const organization = await createOrganization()
    const member = await memberWithRole(organization, 'member')
    const browser = await enter(organization, member.userId)
    const as = someone()
    await browser.visit(await goTo(browser, 'google', google, as))
    expect(wordsOf(await browser.visit('/console/calendars'))).toContain(as)
    expect(await calendarsOf(organization)).toMatchObject([{ member_id: member.id, account_email: as }])
    await browser.visit(await goTo(browser, 'zoom', zoom, someone()))
    const leaving = await browser.visit('/console/calendars/zoom/disconnect')
    const left = await browser.send(leaving, '/console/calendars/zoom/disconnect')
    expect(wordsOf(await browser.follow(left))).toContain('The Zoom account was disconnected')
  })

  it('cannot be connected for others by members, nor by viewers, nor by an address alone', async () => {
    const organization = await createOrganization()
    const { id: ownerId } = await memberWithRole(organization, 'owner')
    const member = await memberWithRole(organization, 'member')
    const viewer = await memberWithRole(organization, 'viewer')
    const browser = await enter(organization, member.userId)
    for (const [userId, named] of [
      [member.userId, ownerId],
      [viewer.userId, viewer.id],
    ] as const) {
      const theirs = await enter(organization, userId)
      const { csrf } = formOf(await theirs.visit('/console/calendars'), '/console/mode').fields
      for (const way of ['google', 'microsoft', 'zoom', 'meet', 'teams']) {
        const form = { csrf: csrf!, member: named }
        const answer = await theirs.visit(`/console/calendars/connect/${way}`, { form })
        expect([way, answer.status, answer.text.includes('refresh')]).toEqual([way, 403, false])
      }
    }
    expect((await browser.visit('/console/calendars/connect/administrator')).status).toBe(403)
    const owner = await enter(organization)
    expect((await owner.visit('/console/calendars/connect/google')).status).toBe(404)
  })

  it('gets the agreement of an administrator of Microsoft by a link', async () => {
    const browser = await enter(await createOrganization())
    const page = await browser.visit('/console/calendars/connect/administrator')
    expect(page.text).toMatch(/data-copy="[^"]+adminconsent[^"]+"/)
    expect(wordsOf(await browser.visit('/console/calendars?admin_consent=granted'))).toContain('agreed')
  })

  it('is not described in words taken from the query of an address', async () => {
    const browser = await enter(await createOrganization())
    const page = await browser.visit('/console/calendars?error=bad_request&error_description=Call+0900+1234')
    expect(wordsOf(page)).toContain('Nothing was connected')
    expect(page.text).not.toContain('0900')
  })
})

describe('meetings', () => {
  it('are made by a Zoom account that is connected and disconnected here', async () => {
    const organization = await createOrganization()
    const browser = await enter(organization)
    const email = someone()
    const back = await browser.visit(await goTo(browser, 'zoom', zoom, email))
    const page = await browser.visit(pathOf(back))
    expect(wordsOf(page)).toContain('Meetings are now created with it')
    expect(wordsOf(page)).toContain(email)
    const state = async () =>
      (await call('GET', '/v1/conferencing', { key: organization.liveKey })).body.data[0]
    expect(await state()).toMatchObject({ provider: 'video_a', connected: true, account_email: email })
    const link = /href="(\/console\/calendars\/zoom\/disconnect[^"]*)"/.exec(page.text)![1]!
    const asked = await browser.visit(link)
    expect(wordsOf(asked)).toContain('Bookings keep their existing links')
    await browser.send(asked, '/zoom/disconnect')
    expect(await state()).toMatchObject({ connected: false })
  })

  it('come with a calendar of their suite', async () => {
    const organization = await createOrganization()
    const browser = await enter(organization)
    await browser.visit(await goTo(browser, 'teams', microsoft, someone()))
    expect(await calendarsOf(organization)).toMatchObject([{ provider: 'calendar_b' }])
    expect(wordsOf(await browser.visit('/console/calendars'))).toMatch(/Microsoft Teams Connected/)
  })
})

describe('the screens of accounts at providers', () => {
  it('ask the database twice each', async () => {
    const organization = await createOrganization()
    const browser = await enter(organization)
    await browser.visit(await goTo(browser, 'google', google, someone()))
    const [{ account_id: account }] = (await calendarsOf(organization)) as [{ account_id: string }]
    const paths = ['', '/connect', '/connect/administrator', `/accounts/${account}`].map(
      (path) => `/console/calendars${path}`,
    )
    await browser.visit(paths[3]!)
    expect((await consoleTrips(browser, paths)).filter(({ trips }) => trips > 2)).toEqual([])
  })
})

function pathOf({ headers }: Visited): string {
  const { pathname, search } = new URL(headers.get('location')!, 'https://holdfast.test')
  return pathname + search
}
