import { Webhook } from 'standardwebhooks'
import { describe, expect, it, vi } from 'vitest'
import { postWebhook } from '../../src/delivery/webhooks/post/post-webhook.ts'
import { newWebhookSecret, signatureHeaders } from '../../src/delivery/webhooks/post/sign.ts'
import type { Fetch } from '../../src/platform/transport/fetch.ts'

const BODY = JSON.stringify({ event: 'booking.created', data: { notes: 'Käse & 寿司' } })

function message(secrets: readonly [string, ...string[]] = [newWebhookSecret()]) {
  const timestampSeconds = Math.floor(Date.now() / 1000)
  return { url: 'https://example.com/hook', id: 'evt-1', timestampSeconds, body: BODY, secrets }
}

/** As OpenSSL would, by the names of the bytes. */
async function hexHmac(key: string, text: string): Promise<string> {
  const { createHmac } = await import('node:crypto')
  return createHmac('sha256', key).update(text).digest('hex')
}

describe('signatures', () => {
  it('are what an independent reader of Standard Webhooks takes, and nobody else made', async () => {
    const { secrets, ...signed } = message()
    const headers = await signatureHeaders(signed, secrets)
    expect(new Webhook(secrets[0]).verify(BODY, headers)).toEqual(JSON.parse(BODY))
    expect(() => new Webhook(newWebhookSecret()).verify(BODY, headers)).toThrow()
    expect(() => new Webhook(secrets[0]).verify(`${BODY} `, headers)).toThrow()
    expect(() => new Webhook(secrets[0]).verify(BODY, { ...headers, 'webhook-id': 'evt-2' })).toThrow()
  })

  it('come in hex too, keyed with the whole secret as text', async () => {
    const { secrets, ...signed } = message()
    const headers = await signatureHeaders(signed, secrets)
    expect(headers['X-Service-Signature']).toBe(await hexHmac(secrets[0], BODY))
    expect(headers['X-Service-Signature']).toMatch(/^[0-9a-f]{64}$/)
  })

  it('are one for each secret, so that a receiver with either reads them', async () => {
    const { secrets, ...signed } = message([newWebhookSecret(), newWebhookSecret()])
    const headers = await signatureHeaders(signed, secrets)
    expect(headers['webhook-signature']).toMatch(/^v1,[\w+/]{43}= v1,[\w+/]{43}=$/)
    for (const secret of secrets) expect(new Webhook(secret).verify(BODY, headers)).toBeTruthy()
    expect(headers['X-Service-Signature']).toBe(await hexHmac(secrets[0], BODY))
  })

  it('are made with secrets of 32 random bytes', () => {
    const [a, b] = [newWebhookSecret(), newWebhookSecret()]
    expect(a).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(a).not.toBe(b)
  })
})

describe('sending', () => {
  const answering = (body: BodyInit | null, init?: ResponseInit): Fetch => {
    return async () => new Response(body, init)
  }

  it('says who it is, follows nothing and sends the very bytes that are signed', async () => {
    const send = vi.fn(answering('ok'))
    expect(await postWebhook(message(), 1024, send)).toEqual({ kind: 'answered', status: 200, body: 'ok' })
    const [url, init] = send.mock.calls[0]!
    expect([url, init?.method, init?.redirect, init?.body]).toEqual([
      'https://example.com/hook',
      'POST',
      'manual',
      BODY,
    ])
    expect(init?.headers).toMatchObject({
      'Content-Type': 'application/json',
      'User-Agent': 'Holdfast-Webhooks/1.0',
    })
  })

  it('reads the start of an answer and stops a body that never ends', async () => {
    let isCancelled = false
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new TextEncoder().encode('ab€'.repeat(50))),
      cancel: () => {
        isCancelled = true
      },
    })
    const reply = await postWebhook(message(), 1024, answering(endless, { status: 500 }))
    if (reply.kind !== 'answered') throw new Error(reply.reason)
    expect(new TextEncoder().encode(reply.body).length).toBeLessThanOrEqual(1024)
    expect(reply.body).toBe('ab€'.repeat(205).slice(0, reply.body.length))
    expect(reply.body.length).toBeGreaterThan(600)
    await vi.waitFor(() => expect(isCancelled).toBe(true))
  })

  it('distinguishes a receiver that cannot be reached from one that answers', async () => {
    const failing: Fetch = () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.1'))
    expect(await postWebhook(message(), 1024, failing)).toEqual({
      kind: 'unanswered',
      reason: 'Could not be reached.',
    })
  })

  it('accepts responses without a body, and bytes that are not text', async () => {
    expect(await postWebhook(message(), 9, answering(null, { status: 204 }))).toMatchObject({ body: '' })
    const bytes = new Uint8Array([255, 254, 97])
    expect(await postWebhook(message(), 9, answering(bytes))).toMatchObject({ body: '\ufffd\ufffda' })
  })
})
