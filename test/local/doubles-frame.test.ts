import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openGoogle } from '../../doubles/google/open-google.ts'
import { openMicrosoft } from '../../doubles/microsoft/open-microsoft.ts'
import { openOpenidConnect } from '../../doubles/openid-connect/open-openid-connect.ts'
import { type Doubles, startDoubles } from '../../doubles/start-doubles.ts'
import { openZoom } from '../../doubles/zoom/open-zoom.ts'

let doubles: Doubles

beforeAll(async () => {
  doubles = await startDoubles({
    google: openGoogle,
    microsoft: openMicrosoft,
    zoom: openZoom,
    'openid-connect': openOpenidConnect,
  })
})
afterAll(() => doubles.stop())

describe('A double that is sent what makes no sense', () => {
  it.each(['google', 'microsoft', 'zoom', 'openid-connect'])('answers, and goes on: %s', async (provider) => {
    const base = `${doubles.url}/${provider}/frame`
    for (const path of ['/control', '/control/registration', '/control/troubles', '/control/clock']) {
      const { status } = await fetch(base + path, { method: 'PUT', body: '{' })
      expect(status, path).toBeGreaterThanOrEqual(400)
    }
    expect((await fetch(`${base}/control`)).status).toBe(200)
  })

  it('refuses to check an endpoint that nobody named', async () => {
    const base = `${doubles.url}/zoom/frame`
    const asked = await fetch(`${base}/control/validate-endpoint`, { method: 'POST', body: '{}' })
    expect(asked.status).toBeGreaterThanOrEqual(400)
  })
})

describe('Trouble', () => {
  it('is that of the calls it names, and of others not', async () => {
    const base = `${doubles.url}/zoom/troubled`
    const ask = async (path: string, as: string) =>
      (await fetch(base + path, { headers: { 'X-As': as } })).status
    const about = 'GET /v2/users/me '
    const trouble = { about, of: 'ada', status: 418, times: null }
    await fetch(`${base}/control/troubles`, { method: 'PUT', body: JSON.stringify([trouble]) })
    expect([await ask('/v2/users/me', 'ada'), await ask('/v2/users/me', 'eve')]).toEqual([418, 401])
    expect(await ask('/v2/meetings/1', 'ada')).toBe(401)
    await fetch(`${base}/control/troubles?of=eve`, { method: 'DELETE' })
    expect(await ask('/v2/users/me', 'ada')).toBe(418)
    const looked: any = await (await fetch(`${base}/control?of=eve`)).json()
    expect(looked.calls).toHaveLength(1)
    await fetch(`${base}/control/troubles?of=ada`, { method: 'DELETE' })
    expect(await ask('/v2/users/me', 'ada')).toBe(401)
  })

  it('holds an answer back that is old by then', async () => {
    const base = `${doubles.url}/zoom/held`
    const trouble = { about: 'GET /v2/users/me ', heldMs: 500 }
    await fetch(`${base}/control/troubles`, { method: 'PUT', body: JSON.stringify([trouble]) })
    const asked = fetch(`${base}/v2/users/me`)
    const order: string[] = []
    const held = asked.then(() => order.push('held'))
    const heard = async () => ((await (await fetch(`${base}/control`)).json()) as any).calls.length
    await expect.poll(heard).toBe(1)
    await fetch(`${base}/v2/users/me`)
    order.push('later')
    await held
    expect(order).toEqual(['later', 'held'])
  })
})
