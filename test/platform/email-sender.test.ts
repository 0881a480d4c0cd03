import { describe, expect, it } from 'vitest'
import { bindingSender, type Email } from '../../src/platform/email/email-sender.ts'

type Headers = { subject: string; from: { name: string }; headers: Record<string, string> }

async function headersOf(email: Partial<Email>): Promise<Headers> {
  const taken: unknown[] = []
  const binding = { send: async (message: unknown) => void taken.push(message) } as unknown as SendEmail
  const whole = { to: 'ada@example.com', fromName: 'Acme', subject: 'Hello', text: '', html: '', ...email }
  await bindingSender(binding, 'bookings@example.com').send(whole)
  return taken[0] as never
}

describe('the headers of an email', () => {
  it('are cut after a whole character, and are unchanged if they are short', async () => {
    for (const before of ['', '.']) {
      const { subject, from } = await headersOf({
        subject: before + '🗓️'.repeat(200),
        fromName: before + '😀'.repeat(200),
      })
      for (const [text, most] of [
        [subject, 200],
        [from.name, 100],
      ] as const) {
        expect([text.isWellFormed(), text.endsWith('…')]).toEqual([true, true])
        expect(text.length).toBeLessThanOrEqual(most)
        expect(text.length).toBeGreaterThanOrEqual(most - 1)
      }
    }
    const exact = '😀'.repeat(50)
    expect(await headersOf({ fromName: exact })).toMatchObject({ from: { name: exact }, subject: 'Hello' })
  })

  it('ask programs not to answer that somebody is away, for that would go to an anonymous caller', async () => {
    const { headers } = await headersOf({ replyTo: 'ada@example.com' })
    expect(headers['Auto-Submitted']).toBe('auto-generated')
    expect(headers['X-Auto-Response-Suppress']).toBe('OOF, AutoReply')
  })

  it('are one line', async () => {
    const { subject } = await headersOf({ subject: 'Tea\r\nBcc: all@example.com\u2028x' })
    expect(subject).toBe('Tea Bcc: all@example.com x')
  })
})
