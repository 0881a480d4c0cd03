import { env } from 'cloudflare:workers'
import { inject } from 'vitest'
import { describe, expect, it, vi } from 'vitest'
import { call } from '../support/app.ts'
import { settingsFor } from '../support/doubles/connect.ts'
import { openWorld } from '../support/doubles/control.ts'
import { createOrganization } from '../support/factories.ts'

describe('probe', () => {
  it('sees the env', async () => {
    const zoom = openWorld(inject('doubles'), 'zoom')
    const { liveKey } = await createOrganization()
    console.log((await call('GET', '/v1/conferencing', { key: liveKey })).body)
    console.log((await call('GET', '/v1/conferencing/video_a/connect', { key: liveKey })).body)
    Object.assign(env, settingsFor('video_a', zoom.base))
    console.log((await call('GET', '/v1/conferencing/video_a/connect', { key: liveKey })).body)
    void vi
    expect(1).toBe(1)
  })
})
