import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openMicrosoft } from '../../doubles/microsoft/open-microsoft.ts'
import type { Json } from '../../doubles/world.ts'
import { freshWorld } from '../support/fresh-world.ts'
import { event, type MicrosoftWorld, microsoftWorld, view, weekly } from '../support/microsoft-world.ts'

let world: MicrosoftWorld
let graph: Awaited<ReturnType<MicrosoftWorld['graph']>>
let receiver: Server
let url: string
/** What came in, and what the receiver answers. */
let got: Json[]
let echo: (token: string) => { status: number; type: string; body: string }
let status: () => number

const { base } = freshWorld(openMicrosoft)
beforeEach(async () => {
  world = microsoftWorld(base())
  graph = await world.graph()
  await world.control('PUT', '', { notificationRetryMs: 5, notificationRetries: 2, notificationDelayMs: 5 })
  got = []
  echo = (token) => ({ status: 200, type: 'text/plain', body: token })
  status = () => 202
  receiver = createServer(async (request, response) => {
    let text = ''
    for await (const piece of request) text += piece
    const { searchParams, pathname } = new URL(request.url!, 'http://here')
    const token = searchParams.get('validationToken')
    if (token !== null) {
      const said = echo(token)
      return response.writeHead(said.status, { 'Content-Type': said.type }).end(said.body)
    }
    got.push({ pathname, headers: request.headers, ...JSON.parse(text) })
    response.writeHead(status()).end()
  })
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/here`
})
afterEach(() => {
  receiver.closeAllConnections()
  receiver.close()
})

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
const subscribe = (more: Json = {}, headers?: Record<string, string>) =>
  graph.post(
    '/subscriptions',
    {
      ...{ changeType: 'created,updated,deleted', notificationUrl: url, resource: 'me/events' },
      ...{
        lifecycleNotificationUrl: `${url}/life`,
        clientState: 'secret',
        expirationDateTime: inMinutes(1000),
      },
      ...more,
    },
    headers,
  )
const changes = () =>
  got.flatMap(({ value }) => value.map((one: Json) => one.changeType ?? one.lifecycleEvent))
const codeOf = ({ status: code, json }: { status: number; json: Json }) => [code, json.error?.code]

describe('subscriptions of the double of Microsoft', () => {
  it('are made once both addresses returned their token', async () => {
    const { status: code, json } = await subscribe()
    expect(code).toBe(201)
    expect(json).toMatchObject({
      ...{ resource: 'me/events', changeType: 'created,updated,deleted', clientState: 'secret' },
      ...{ applicationId: 'holdfast-double', latestSupportedTlsVersion: 'v1_2' },
    })
    const { validations } = await world.control('GET', '')
    expect(validations.map(({ isEchoed }: Json) => isEchoed)).toEqual([true, true])
    expect((await graph.get('/subscriptions')).json.value).toHaveLength(1)
    expect((await graph.get(`/subscriptions/${json.id}`)).json.id).toBe(json.id)
    expect((await graph.delete(`/subscriptions/${json.id}`)).status).toBe(204)
    expect(codeOf(await graph.get(`/subscriptions/${json.id}`))).toEqual([404, 'ResourceNotFound'])
  })

  it.each([
    ['202', (body: string) => ({ status: 202, type: 'text/plain', body })],
    ['another type', (body: string) => ({ status: 200, type: 'application/json', body })],
    [
      'the token as it stood in the address',
      (body: string) => ({ status: 200, type: 'text/plain', body: encodeURIComponent(body) }),
    ],
    ['404', () => ({ status: 404, type: 'text/plain', body: '' })],
  ])('are not made if the validation is answered with %s', async (_, answer) => {
    echo = answer
    expect(codeOf(await subscribe())).toEqual([400, 'ValidationError'])
    expect((await graph.get('/subscriptions')).json.value).toEqual([])
  })

  it.each([
    [{ notificationUrl: 'http://app.example/n' }, 'InvalidRequest'],
    [{ changeType: 'moved' }, 'InvalidRequest'],
    [{ clientState: 's'.repeat(129) }, 'InvalidRequest'],
    [{ resource: 'me/events/x' }, 'ExtensionError'],
    [{ expirationDateTime: inMinutes(10_080) }, 'ExtensionError'],
    [{ expirationDateTime: inMinutes(-1) }, 'InvalidRequest'],
    [{ notificationUrl: undefined }, 'InvalidRequest'],
    [{ colour: 'red' }, 'BadRequest'],
  ])('are refused with %j', async (more, code) => {
    expect(codeOf(await subscribe(more))).toEqual([400, code])
  })

  it('require a lifecycle URL only if the world says so', async () => {
    expect((await subscribe({ lifecycleNotificationUrl: undefined })).status).toBe(201)
    await world.control('PUT', '', { isLifecycleUrlRequired: true })
    expect(codeOf(await subscribe({ lifecycleNotificationUrl: undefined }))).toEqual([400, 'ValidationError'])
    const short = { lifecycleNotificationUrl: undefined, expirationDateTime: inMinutes(59) }
    expect((await subscribe(short)).status).toBe(201)
  })

  it('are renewed in time, and are nobody’s afterwards', async () => {
    const { json } = await subscribe({ expirationDateTime: inMinutes(10) })
    const path = `/subscriptions/${json.id}`
    expect((await graph.patch(path, { expirationDateTime: inMinutes(20) })).status).toBe(200)
    expect(codeOf(await graph.patch(path, { lifecycleNotificationUrl: url }))).toEqual([
      400,
      'InvalidRequest',
    ])
    await world.control('PUT', '/clock', { ahead_ms: 21 * 60_000 })
    expect(codeOf(await graph.patch(path, { expirationDateTime: inMinutes(60) }))).toEqual([
      404,
      'ResourceNotFound',
    ])
  })
})

describe('notifications of the double of Microsoft', () => {
  it('give only the id of what was changed, a new event twice, and a move as an end and a beginning', async () => {
    const { json } = await subscribe()
    const { id: other } = await world.control('POST', '/calendars', { name: 'Other' })
    await subscribe({ resource: `me/calendars/${other}/events`, notificationUrl: `${url}/other` })
    const [id] = await world.put([event('2027-01-04')])
    await vi.waitFor(() => expect(changes()).toEqual(['created', 'updated']))
    expect(got[0]!.value[0]).toMatchObject({
      ...{ subscriptionId: json.id, clientState: 'secret', changeType: 'created' },
      resourceData: { '@odata.type': '#Microsoft.Graph.Event', id },
      resource: expect.stringMatching(new RegExp(`^Users/[^/]+/Events/${id}$`)),
      tenantId: expect.stringMatching(/^[\da-f-]{36}$/),
    })
    got = []
    await world.control('POST', `/events/${id}/move`, { calendar: other })
    await vi.waitFor(() => expect(got).toHaveLength(2))
    const told = Object.fromEntries(got.map(({ pathname, value }) => [pathname, value]))
    expect(told['/here'].map((one: Json) => [one.changeType, one.resourceData.id])).toEqual([['deleted', id]])
    expect(told['/here/other'][0].changeType).toBe('created')
    expect(told['/here/other'][0].resourceData.id).not.toBe(id)
  })

  it('have immutable ids if the subscription was made so, and report a removed occurrence as its series', async () => {
    await subscribe({ changeType: 'updated,deleted' }, { Prefer: 'IdType="ImmutableId"' })
    const [id] = await world.put([event('2027-01-04', { recurrence: weekly('2027-01-04', 'monday') })])
    await vi.waitFor(() => expect(changes()).toEqual(['updated']))
    const { immutableId } = (await world.control('GET', '')).events.at(-1)
    expect(got[0]!.value[0].resourceData.id).toBe(immutableId)
    got = []
    const { value } = (await graph.get(view('2027-01-01', '2027-01-15'))).json
    await graph.delete(`/me/events/${value[1].id}`)
    await vi.waitFor(() => expect(changes()).toEqual(['updated']))
    expect(got[0]!.value[0].resourceData.id).toBe(immutableId)
    expect(immutableId).not.toBe(id)
  })

  it('come together for one address, and again if nobody accepted them', async () => {
    await subscribe({ changeType: 'created' })
    await subscribe({ changeType: 'created' })
    let times = 0
    status = () => (times++ === 0 ? 503 : 202)
    await world.put([event('2027-01-04')])
    await vi.waitFor(() => expect(got).toHaveLength(2))
    expect(got[0]!.value).toHaveLength(2)
    expect(got[1]!.value).toEqual(got[0]!.value)
  })

  it('that were given up are reported as missed', async () => {
    await subscribe({ changeType: 'created' })
    status = () => 500
    await world.put([event('2027-01-04')])
    await vi.waitFor(() => expect(changes()).toEqual(['created', 'created', 'created', 'missed']))
    expect(got.at(-1)!.pathname).toBe('/here/life')
    expect(got.at(-1)!.value[0]).toMatchObject({ clientState: 'secret', lifecycleEvent: 'missed' })
  })

  it('stop while a subscription waits for a new authorization, and for good when it is removed', async () => {
    const { json } = await subscribe({ changeType: 'created' })
    await world.control('POST', '/lifecycle', { event: 'reauthorizationRequired', pauses: true })
    await world.put([event('2027-01-04')])
    await vi.waitFor(() => expect(changes()).toEqual(['reauthorizationRequired']))
    expect((await graph.post(`/subscriptions/${json.id}/reauthorize`, {})).status).toBe(204)
    await world.put([event('2027-01-05')])
    await vi.waitFor(() => expect(changes()).toEqual(['reauthorizationRequired', 'created']))
    await world.control('POST', '/end', { how: 'removed' })
    await vi.waitFor(() => expect(changes().at(-1)).toBe('subscriptionRemoved'))
    expect((await world.control('GET', '')).subscriptions).toEqual([])
  })

  it('of personal accounts name no organization', async () => {
    graph = await world.graph('nina@outlook.com')
    await subscribe({ changeType: 'created' })
    await world.control('POST', '/events?as=nina@outlook.com', { events: [event('2027-01-04')] })
    await vi.waitFor(() => expect(got).toHaveLength(1))
    expect(got[0]!.value[0].tenantId).toBe('')
  })
})
