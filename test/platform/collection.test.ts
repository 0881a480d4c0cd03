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
    readonly auth?: { readonly type: string }
    readonly body?: { readonly raw: string }
  }
}

async function items(): Promise<Item[]> {
  const { body } = await call('GET', '/v1/postman.json')
  expect(body.variable.map(({ key }: { key: string }) => key)).toEqual(['baseUrl', 'key'])
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
    expect([path, made.auth?.type === 'noauth']).toEqual([path, auth === 'none'])
    expect((made.url.query ?? []).map(({ key }) => key)).toEqual(Object.keys(request.query?.shape ?? {}))
    if (request.body)
      expect([path, request.body.safeParse(JSON.parse(made.body!.raw)).success]).toEqual([path, true])
    else expect(made.body).toBeUndefined()
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
