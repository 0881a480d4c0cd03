import { expect, it } from 'vitest'
import { openDocumented } from '../../src/routes.ts'
import { call } from '../support/app.ts'
import { createOrganization } from '../support/factories.ts'

type Item = {
  readonly name: string
  readonly request: {
    readonly method: string
    readonly url: { readonly raw: string; readonly query?: { key: string; disabled?: boolean }[] }
    readonly header: readonly unknown[]
    readonly auth?: { readonly type: string; readonly bearer?: readonly { readonly value: string }[] }
    readonly body?: { readonly raw: string }
  }
}

const ID = '0192f1e0-7c11-7000-8000-3b1f0a5d9c42'
const INSTANT = '2027-03-01T09:00:00Z'
/** What somebody fills in for the variables of bodies. */
const FILLED: Readonly<Record<string, string>> = {
  '{{event_type_id}}': ID,
  '{{member_id}}': ID,
  '{{no_show}}': ID,
  '{{account_id}}': ID,
  '{{organization_id}}': ID,
  '{{start_time}}': INSTANT,
  '{{new_start_time}}': INSTANT,
  '{{now}}': INSTANT,
  '{{from}}': INSTANT,
}

async function items(): Promise<Item[]> {
  const { body } = await call('GET', '/v1/postman.json')
  const variables = body.variable.map(({ key }: { key: string }) => key)
  expect(variables.slice(0, 3)).toEqual(['baseUrl', 'key', 'serviceKey'])
  for (const [, name] of JSON.stringify(body.item).matchAll(/\{\{(\w+)\}\}/g))
    expect(variables).toContain(name)
  return body.item.flatMap(({ item }: { item: Item[] }) => item)
}

it('of calls holds every endpoint once, with its parameters and a body that fits it', async () => {
  const { routes } = await openDocumented()
  const all = await items()
  const placeOf = (method: string, path: string) => `${method} {{baseUrl}}${path}`
  expect(all.map(({ request }) => `${request.method} ${request.url.raw}`).sort()).toEqual(
    routes.map(({ method, path }) => placeOf(method, path)).sort(),
  )
  for (const { method, path, auth, request } of routes) {
    const { request: made } = all.find(
      (one) => `${one.request.method} ${one.request.url.raw}` === placeOf(method, path),
    )!
    const bearer = made.auth?.bearer?.[0]?.value
    expect([path, made.auth?.type === 'noauth']).toEqual([path, auth === 'none'])
    expect([path, bearer]).toEqual([path, auth === 'service' ? '{{serviceKey}}' : undefined])
    expect((made.url.query ?? []).map(({ key }) => key)).toEqual(Object.keys(request.query?.shape ?? {}))
    if (request.body) {
      const filled = JSON.parse(made.body!.raw, (_, value) => FILLED[value] ?? value)
      expect([path, request.body.safeParse(filled).success]).toEqual([path, true])
    } else expect(made.body).toBeUndefined()
  }
})

it('of calls works as it stands', async () => {
  const { liveKey: key } = await createOrganization()
  const all = await items()
  for (const name of ['Create an event type', 'List bookings', 'List webhook endpoints']) {
    const { request } = all.find((one) => one.name === name)!
    expect((request.url.query ?? []).every(({ disabled }) => disabled)).toBe(true)
    const path = request.url.raw.replace('{{baseUrl}}', '')
    const body = request.body && JSON.parse(request.body.raw)
    const { status } = await call(request.method, path, { key, ...(body && { body }) })
    expect([name, status]).toEqual([name, request.method === 'POST' ? 201 : 200])
  }
})

it('of calls has no id that nobody has, and leaves the clock alone when all of it runs', async () => {
  const { testKey: key } = await createOrganization()
  const all = await items()
  expect(JSON.stringify(all.map(({ request }) => request.body))).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/)
  const { request } = all.find(({ name }) => name === "Set the sandbox's clock")!
  const body = JSON.parse(request.body!.raw.replaceAll(/\{\{\w+\}\}/g, ''))
  const set = await call('PUT', '/v1/test-data/clock', { key, body })
  expect([set.status, Object.keys(set.body.error.details)]).toEqual([400, ['now']])
})
