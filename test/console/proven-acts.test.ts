import { env } from 'cloudflare:workers'
import { describe, expect, inject, it } from 'vitest'
import { answerConsole } from '../../src/console/answer-console.ts'
import { call } from '../support/app.ts'
import { newAuthenticator } from '../support/authenticator.ts'
import { type Browser, codeFor, openBrowser, signIn } from '../support/console.ts'
import { createOrganization, type Organization, unique } from '../support/factories.ts'
import { memberWithRole } from '../support/members.ts'
import { browserRequest, formOf, seen, type Visited, wordsOf } from '../support/pages.ts'
import { connectAccount } from '../support/payments.ts'

const WEBHOOKS = '/console/developers/webhooks'
const PROVIDER = '/console/payments/provider'

type World = {
  readonly email: string
  readonly organization: Organization
  /** A browser that was left open: its last proof is older than half an hour. */
  readonly browser: Browser
  readonly csrf: string
}

async function leftOpen(): Promise<World> {
  const email = `${unique('owner')}@example.com`
  const organization = await createOrganization({ ownerEmail: email })
  const browser = await signIn(email)
  const { csrf } = formOf(await browser.visit('/console/settings'), '/console/settings').fields
  await makeOld(email)
  return { email, organization, browser, csrf: csrf! }
}

async function makeOld(email: string): Promise<void> {
  await env.DB.prepare('UPDATE console_sessions SET proven_at = 0 WHERE email = ?').bind(email).run()
}

type Fields = readonly (readonly [string, string])[]

/** Sends a form where receivers of webhooks may be private, as on a developer's machine. */
async function send({ browser, csrf }: World, path: string, fields: Fields = []): Promise<Visited> {
  const Cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const request = browserRequest(path, { form: [['csrf', csrf], ...fields], headers: { Cookie } })
  return seen(
    await answerConsole(
      request,
      { ...env, ALLOW_PRIVATE_HOSTS: 'true' },
      new URL(path, request.url).pathname,
    ),
  )
}

function asksForProof(page: Visited): boolean {
  return page.status === 200 && wordsOf(page).includes('Confirm your identity')
}

/** Proves it by a mailed code on the page that asked, with whatever that page kept. */
async function prove(world: World, asking: Visited, path: string): Promise<Visited> {
  const pairsOf = (page: Visited) => formOf(page, path).pairs.filter(([name]) => name !== 'csrf')
  const mailed = await send(world, path, [...pairsOf(asking), ['proof', 'mail']])
  const code = await codeFor(world.email)
  const given = pairsOf(mailed).filter(([name]) => name !== 'proof_code')
  return send(world, path, [...given, ['proof', 'code'], ['proof_code', code]])
}

async function told({ organization }: World, path: string) {
  return (await call('GET', path, { key: organization.liveKey })).body
}

const invitations = async (world: World) =>
  (await told(world, `/v1/organizations/${world.organization.id}/invitations`)).data.map(
    (one: any) => one.role,
  )
const roleOf = async (world: World, id: string) =>
  (await told(world, `/v1/organizations/${world.organization.id}/members/${id}`)).role
const endpoints = async (world: World) =>
  (await told(world, '/v1/webhooks')).data.map(({ url, events, description }: any) => ({
    url,
    events,
    description,
  }))
const feeds = async (world: World) =>
  (await told(world, '/v1/calendar-feeds')).data.map((one: any) => one.member_id)
const account = async (world: World) =>
  (await told(world, '/v1/payment-provider/status')).payment_provider_account_id !== null

const freshUrl = () => `${inject('receiver')}/${unique('hook')}`

async function endpointOf(world: World): Promise<{ id: string; url: string }> {
  await env.DB.prepare('UPDATE console_sessions SET proven_at = ? WHERE email = ?')
    .bind(Date.now(), world.email)
    .run()
  const url = freshUrl()
  const made = await send(world, `${WEBHOOKS}/new`, [
    ['url', url],
    ['events', '*'],
  ])
  await makeOld(world.email)
  return { url, id: new RegExp(`${WEBHOOKS}/([0-9a-f-]{36})`).exec(made.text)![1]! }
}

async function secretOf(id: string): Promise<unknown> {
  return env.DB.prepare('SELECT secret, previous_secret FROM webhook_endpoints WHERE id = ?').bind(id).first()
}

/** An act: where it is sent, what is typed, how it is seen from outside, and what is to be seen after it. */
type Act = {
  readonly path: string
  readonly fields?: Fields
  readonly state: () => Promise<unknown>
  readonly after?: unknown
}

const ACTS: Readonly<Record<string, (world: World) => Promise<Act>>> = {
  'inviting an admin': async (world) => ({
    path: '/console/team/invite',
    fields: [
      ['email', `${unique('new')}@example.com`],
      ['role', 'admin'],
    ],
    state: () => invitations(world),
    after: ['admin'],
  }),
  'inviting a member': async (world) => ({
    path: '/console/team/invite',
    fields: [
      ['email', `${unique('new')}@example.com`],
      ['role', 'member'],
    ],
    state: () => invitations(world),
    after: ['member'],
  }),
  'making a member an admin': async (world) => {
    const { id } = await memberWithRole(world.organization, 'member')
    return {
      path: `/console/team/${id}`,
      fields: [['role', 'admin']],
      state: () => roleOf(world, id),
      after: 'admin',
    }
  },
  'making a viewer a member': async (world) => {
    const { id } = await memberWithRole(world.organization, 'viewer')
    return {
      path: `/console/team/${id}`,
      fields: [['role', 'member']],
      state: () => roleOf(world, id),
      after: 'member',
    }
  },
  'making a webhook endpoint': async (world) => {
    const url = freshUrl()
    return {
      path: `${WEBHOOKS}/new`,
      fields: [
        ['url', url],
        ['events', 'booking.created'],
        ['events', 'booking.cancelled'],
        ['description', 'Rooms & "halls" <'],
        ['secret', `whsec_${btoa('x'.repeat(32))}`],
      ],
      state: () => endpoints(world),
      after: [{ url, events: ['booking.created', 'booking.cancelled'], description: 'Rooms & "halls" <' }],
    }
  },
  "changing a webhook endpoint's URL": async (world) => {
    const { id } = await endpointOf(world)
    const url = freshUrl()
    return {
      path: `${WEBHOOKS}/${id}/edit`,
      fields: [
        ['url', url],
        ['events', 'booking.created'],
        ['active', 'on'],
        ['description', 'Moved'],
      ],
      state: () => endpoints(world),
      after: [{ url, events: ['booking.created'], description: 'Moved' }],
    }
  },
  "rotating a webhook endpoint's secret": async (world) => {
    const { id } = await endpointOf(world)
    return { path: `${WEBHOOKS}/${id}/rotate-secret`, state: () => secretOf(id) }
  },
  'making a calendar feed of everybody': async (world) => ({
    path: '/console/calendars/feeds',
    fields: [['feed_member', '']],
    state: () => feeds(world),
    after: [null],
  }),
  'connecting a payment account': async (world) => ({
    path: PROVIDER,
    fields: [['country', 'DE']],
    state: () => account(world),
    after: true,
  }),
  'disconnecting a payment account': async (world) => {
    await connectAccount(world.organization)
    return { path: `${PROVIDER}/disconnect`, state: () => account(world), after: false }
  },
  'removing a passkey': async (world) => {
    const browser = await signIn(world.email, openBrowser())
    const { csrf } = formOf(await browser.visit('/console/settings'), '/console/settings').fields
    const options = await browser.visit('/console/settings/passkeys/options', { form: { csrf: csrf! } })
    const authenticator = await newAuthenticator(new URL(env.PUBLIC_URL).origin)
    const passkey = await authenticator.register(JSON.parse(options.text), {})
    await browser.visit('/console/settings/passkeys/new', { form: { csrf: csrf!, name: 'Phone', passkey } })
    await makeOld(world.email)
    const passkeys = () =>
      env.DB.prepare('SELECT id FROM passkeys WHERE email = ?').bind(world.email).all<{ id: string }>()
    const [{ id }] = (await passkeys()).results as [{ id: string }]
    return {
      path: `/console/settings/passkeys/${id}/remove`,
      state: async () => (await passkeys()).results.length,
      after: 0,
    }
  },
}

describe('a browser that was left open proves who uses it before', () => {
  it.each(Object.keys(ACTS))('%s, and loses nothing that was typed', async (name) => {
    const world = await leftOpen()
    const { path, fields = [], state, after } = await ACTS[name]!(world)
    const before = await state()
    const asking = await send(world, path, fields)
    expect([asksForProof(asking), await state()]).toEqual([true, before])
    expect(formOf(asking, path).pairs).toEqual(expect.arrayContaining(fields.map((one) => [...one])))
    const done = await prove(world, asking, path)
    expect(done.status).toBeLessThan(400)
    expect(asksForProof(done)).toBe(false)
    expect(await state()).not.toEqual(before)
    if (after !== undefined) expect(await state()).toEqual(after)
  })
})

describe('a browser that was left open needs no proof', () => {
  it('to invite a viewer, to lower a role, or to change a member and leave the role', async () => {
    const world = await leftOpen()
    const { id } = await memberWithRole(world.organization, 'admin')
    const invited = await send(world, '/console/team/invite', [
      ['email', `${unique('new')}@example.com`],
      ['role', 'viewer'],
    ])
    expect([invited.status, await invitations(world)]).toEqual([303, ['viewer']])
    for (const role of ['admin', 'member', 'member', 'viewer']) {
      const changed = await send(world, `/console/team/${id}`, [
        ['role', role],
        ['name', 'Grace'],
      ])
      expect([changed.status, await roleOf(world, id)]).toEqual([303, role])
    }
  })

  it('to change the events of a webhook endpoint, or to delete it', async () => {
    const world = await leftOpen()
    const { id, url } = await endpointOf(world)
    const changed = await send(world, `${WEBHOOKS}/${id}/edit`, [
      ['url', url],
      ['events', 'booking.created'],
      ['active', 'on'],
    ])
    expect(changed.status).toBe(303)
    expect(await endpoints(world)).toMatchObject([{ url, events: ['booking.created'] }])
    expect((await send(world, `${WEBHOOKS}/${id}/delete`)).status).toBe(303)
  })

  it("to make a feed of one member's bookings", async () => {
    const world = await leftOpen()
    const { id } = await memberWithRole(world.organization, 'member')
    const made = await send(world, '/console/calendars/feeds', [['feed_member', id]])
    expect([made.status, await feeds(world)]).toEqual([200, [id]])
  })

  it("on the page that the payment provider leads back to, and on the team's", async () => {
    const { browser } = await leftOpen()
    for (const path of [
      `${PROVIDER}?done=back`,
      PROVIDER,
      '/console/team/invite',
      '/console/calendars',
      WEBHOOKS,
    ]) {
      const page = await browser.visit(path)
      expect([path, page.status, asksForProof(page)]).toEqual([path, 200, false])
    }
  })
})

describe('who may not do it', () => {
  it.each(['member', 'viewer'] as const)('is refused without being asked for a proof: a %s', async (role) => {
    const { organization } = await leftOpen()
    const member = await memberWithRole(organization, role)
    const email = `${unique(role)}@example.com`
    await env.DB.prepare('UPDATE members SET user_email = ? WHERE id = ?').bind(email, member.id).run()
    const browser = await signIn(email)
    const { csrf } = formOf(await browser.visit('/console/settings'), '/console/settings').fields
    await makeOld(email)
    const world = { email, organization, browser, csrf: csrf! }
    const nobody = crypto.randomUUID()
    for (const [path, fields] of [
      ['/console/team/invite', [['role', 'admin']]],
      [`${WEBHOOKS}/new`, []],
      [`${WEBHOOKS}/${nobody}/edit`, []],
      [`${WEBHOOKS}/${nobody}/rotate-secret`, []],
      ['/console/calendars/feeds', []],
      [PROVIDER, [['country', 'DE']]],
      [`${PROVIDER}/disconnect`, []],
    ] as const) {
      const refused = await send(world, path, fields)
      expect([path, refused.status]).toEqual([path, 403])
    }
    const own = await send(world, `/console/team/${member.id}`, [['role', 'admin']])
    expect([own.status, await roleOf(world, member.id)]).toEqual([303, role])
  })
})
