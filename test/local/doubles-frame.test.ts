import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openGoogle } from '../../doubles/google/open-google.ts'
import { openMicrosoft } from '../../doubles/microsoft/open-microsoft.ts'
import { type Doubles, startDoubles } from '../../doubles/start-doubles.ts'
import { openZoom } from '../../doubles/zoom/open-zoom.ts'

let doubles: Doubles

beforeAll(async () => {
  doubles = await startDoubles({ google: openGoogle, microsoft: openMicrosoft, zoom: openZoom })
})
afterAll(() => doubles.stop())

describe('A double that is sent what makes no sense', () => {
  it.each(['google', 'microsoft', 'zoom'])('answers, and goes on: %s', async (provider) => {
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
