import { describe, expect, it } from 'vitest'
import { bindingSender, type Email } from '../../src/platform/email/email-sender.ts'
import { sentEmail } from '../support/sent-email.ts'

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

describe('an email with an invitation', () => {
  const file = (
    method: string,
    content = 'BEGIN:VCALENDAR\r\nSUMMARY:Tee für zwei\r\nEND:VCALENDAR\r\n',
  ) => ({
    filename: 'invite.ics',
    type: `text/calendar; charset=utf-8; method=${method}`,
    content,
  })

  async function handed(email: Partial<Email>) {
    const taken: any[] = []
    const binding = { send: async (message: unknown) => void taken.push(message) } as unknown as SendEmail
    const whole = { to: 'ada@example.com', fromName: 'Acme', subject: 'Hello', text: 'text', html: '<p>' }
    await bindingSender(binding, 'bookings@example.com').send({ ...whole, ...email })
    return taken[0]
  }

  it.each(['REQUEST', 'CANCEL'])(
    'has it beside the text and as a file, with the method %s',
    async (method) => {
      const email = sentEmail(await handed({ attachments: [file(method)], text: 'Grüße\n'.repeat(40) }))
      expect(email.parts!.map(({ type }) => type.replace(/; ?boundary=.*/, ''))).toEqual([
        'multipart/mixed',
        'multipart/alternative',
        'text/plain; charset=utf-8',
        'text/html; charset=utf-8',
        `text/calendar; charset=utf-8; method=${method}`,
        'application/ics; name="invite.ics"',
      ])
      expect(email.parts!.slice(4).map(({ body }) => body)).toEqual([
        file(method).content,
        file(method).content,
      ])
      expect([email.text, email.html]).toEqual(['Grüße\n'.repeat(40), '<p>'])
      expect(email.headers).toMatchObject({
        'auto-submitted': 'auto-generated',
        'mime-version': '1.0',
        'message-id': expect.stringMatching(/^<[\w-]+@example\.com>$/),
        date: expect.stringMatching(/ \+0000$/),
      })
      expect(email).toMatchObject({
        to: 'ada@example.com',
        from: { name: 'Acme', email: 'bookings@example.com' },
      })
    },
  )

  it.each([
    [
      'plain, with numbers for other characters',
      '<p>Grüße – 😀</p>',
      '<p>Gr&#252;&#223;e &#8211; &#128512;</p>',
    ],
    ['in Base64 if a line is too long', `<p>${'ü'.repeat(200)}</p>`, `PHA+${'w7zDvMO8'.repeat(9)}`],
    ['in Base64 if a character ends no line everywhere', '<p>a\rb</p>', 'PHA+YQ1iPC9wPgo8aHI+'],
  ])('has its HTML %s', async (_, html, line) => {
    const handedOver = await handed({ html: `${html}\n<hr>`, attachments: [file('REQUEST')] })
    const lines: string[] = handedOver['EmailMessage::raw'].split('\r\n')
    expect(lines.find((each) => each.startsWith(line))).toBeDefined()
    expect(sentEmail(handedOver).html).toBe(`${html}\n<hr>`)
  })

  it('is sent in its parts if the file only informs', async () => {
    const email = await handed({ attachments: [file('PUBLISH')] })
    expect(email.attachments).toMatchObject([{ filename: 'invite.ics', disposition: 'attachment' }])
  })

  it.each([
    'Acme',
    'Müller & Söhne, "Bonn" <x@example.com>',
    'Confirmed: Tea (30 min), <x@example.com>',
    '日本語のとても長い名前です'.repeat(6),
    '👩‍👩‍👧 family '.repeat(9),
    '=?utf-8?B?SGk=?=',
    'a=20b',
  ])('names people and subjects as they were typed: %s', async (typed) => {
    const attachments = [file('REQUEST')]
    const handedOver = await handed({
      fromName: typed,
      subject: typed,
      replyTo: 'a@bücher.example',
      attachments,
    })
    const raw: string = handedOver['EmailMessage::raw']
    expect(raw).toMatch(/^[\x20-\x7e\r\n]*$/)
    expect(Math.max(...raw.split('\r\n').map(({ length }) => length))).toBeLessThanOrEqual(78)
    expect(raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    const { from, subject, replyTo } = sentEmail(handedOver)
    const shown = (text: string, most: number) =>
      text.length > most ? expect.stringContaining('…') : text.trim()
    expect(subject).toEqual(shown(typed, 200))
    expect((from as { name: string }).name).toEqual(shown(typed, 100))
    expect(replyTo).toBe('a@xn--bcher-kva.example')
  })

  it('cannot be given headers by what people type', async () => {
    const evil = 'x\r\nBcc: all@example.com\r\n\r\nhello'
    const email = sentEmail(
      await handed({ fromName: evil, subject: evil, text: evil, attachments: [file('REQUEST', evil)] }),
    )
    expect(Object.keys(email.headers)).not.toContain('bcc')
    expect(email.subject).toBe('x Bcc: all@example.com hello')
    expect(email.text).toBe(evil)
  })
})
