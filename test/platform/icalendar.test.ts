import ICAL from 'ical.js'
import { describe, expect, it } from 'vitest'
import { bindingSender } from '../../src/platform/email/email-sender.ts'
import { type Invitation, writeInvitation } from '../../src/platform/icalendar/write-invitation.ts'

const INVITATION: Invitation = {
  method: 'REQUEST',
  uid: '0192f1e0-7c11-7000-8000-3b1f0a5d9c43@holdfast',
  sequence: 0,
  stamp: Date.UTC(2026, 2, 1, 9),
  start: Date.UTC(2026, 2, 9, 13),
  end: Date.UTC(2026, 2, 9, 13, 30),
  summary: 'Intro call with Acme',
  description: '',
  location: null,
  url: null,
  organizer: { name: 'Acme', email: 'bookings@example.com' },
  attendees: [{ name: 'Ada', email: 'ada@example.com' }],
}

/** As another program reads it. */
function read(text: string) {
  const calendar = new ICAL.Component(ICAL.parse(text))
  const event = calendar.getFirstSubcomponent('vevent')!
  return { calendar, event, value: (name: string) => event.getFirstPropertyValue(name)?.toString() ?? null }
}

describe('an invitation', () => {
  it('names people without a quotation mark, which readers of RFC 6868 would need', () => {
    const text = writeInvitation({
      ...INVITATION,
      attendees: [{ name: 'Ada "Ace" ^ L', email: 'ada@example.com' }],
    })
    expect(text).toContain(`ATTENDEE;CN="Ada 'Ace' ^^ L";`)
    expect(read(text).event.getFirstProperty('attendee')!.getParameter('cn')).toBe("Ada 'Ace' ^ L")
  })

  it('is read by another program as it was meant', () => {
    const { calendar, event, value } = read(
      writeInvitation({ ...INVITATION, sequence: 3, location: 'Room 4' }),
    )
    expect(calendar.getFirstPropertyValue('method')).toBe('REQUEST')
    expect(calendar.getFirstPropertyValue('version')).toBe('2.0')
    expect([value('uid'), value('sequence'), value('location'), value('status')]).toEqual([
      INVITATION.uid,
      '3',
      'Room 4',
      'CONFIRMED',
    ])
    expect([value('dtstart'), value('dtend'), value('dtstamp')]).toEqual([
      '2026-03-09T13:00:00Z',
      '2026-03-09T13:30:00Z',
      '2026-03-01T09:00:00Z',
    ])
    expect(event.getFirstProperty('attendee')!.getParameter('cn')).toBe('Ada')
    expect(value('attendee')).toBe('mailto:ada@example.com')
    expect(value('organizer')).toBe('mailto:bookings@example.com')
  })

  it('takes a meeting back with the same UID', () => {
    const { calendar, value } = read(writeInvitation({ ...INVITATION, method: 'CANCEL', sequence: 4 }))
    expect([
      calendar.getFirstPropertyValue('method'),
      value('status'),
      value('uid'),
      value('sequence'),
    ]).toEqual(['CANCEL', 'CANCELLED', INVITATION.uid, '4'])
  })

  it('keeps every character that people type, in lines of at most 75 octets that end with CRLF', () => {
    const summary = 'Tea; coffee, or \\ cake? — 日本語のとても長い題名です'.repeat(4)
    const description = 'First line\nSecond line, with; all\\of it\r\nThird 👩‍👩‍👧‍👦 line'.repeat(5)
    const text = writeInvitation({ ...INVITATION, summary, description, location: 'A,B;C\nD' })
    expect(text.endsWith('\r\n')).toBe(true)
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    for (const line of text.split('\r\n'))
      expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75)
    const { value } = read(text)
    expect(value('summary')).toBe(summary)
    expect(value('description')).toBe(description.replaceAll('\r\n', '\n'))
    expect(value('location')).toBe('A,B;C\nD')
  })

  it('names people by addresses that are URIs, whatever mail systems take', () => {
    const addressOf = (email: string) =>
      read(writeInvitation({ ...INVITATION, attendees: [{ name: 'A', email }] })).value('attendee')
    expect(addressOf("o'hara+tag@example.com")).toBe("mailto:o'hara+tag@example.com")
    expect(addressOf('r&d/x=1%2?#@example.com')).toBe('mailto:r%26d%2Fx%3D1%252%3F%23@example.com')
    expect(addressOf('jörg@bücher.example')).toBe('mailto:j%C3%B6rg@xn--bcher-kva.example')
  })

  it('is sent to the domain as DNS knows it', async () => {
    const sent: unknown[] = []
    const binding = { send: async (message: { to: string }) => sent.push(message.to) } as unknown as SendEmail
    const sender = bindingSender(binding, 'bookings@example.com')
    for (const to of ['jörg@bücher.example', 'R&D@Example.com']) {
      await sender.send({ to, subject: 's', text: 't', html: 'h' })
    }
    expect(sent).toEqual(['jörg@xn--bcher-kva.example', 'R&D@example.com'])
  })

  it('keeps its attendee in the replies of programs that replace the status up to the next semicolon, as Emacs does', () => {
    const [line] = writeInvitation(INVITATION)
      .replaceAll('\r\n ', '')
      .match(/^ATTENDEE.*/m)!
    expect(line!.replace(/PARTSTAT=[^;]+/, 'PARTSTAT=DECLINED')).toMatch(/;PARTSTAT=DECLINED;.*:mailto:/)
  })

  it('holds no control character and no line break but its own, whatever people type', () => {
    const typed = 'one\u2028two\u2029three\u0085four\u0000\u0007five\u009f'
    const text = writeInvitation({
      ...INVITATION,
      summary: typed,
      description: typed,
      location: typed,
      url: `https://example.com/${typed}`,
      organizer: { name: typed, email: `a${typed}@example.com` },
      attendees: [{ name: typed, email: 'ada@example.com' }],
    })
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
    expect(read(text).value('description')).toBe('one\ntwo\nthree\nfourfive')
  })

  it('cannot be made to say something else by what people type', () => {
    const evil = 'x\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nSUMMARY:evil'
    const text = writeInvitation({
      ...INVITATION,
      summary: evil,
      url: `https://example.com/${evil}`,
      organizer: { name: `"${evil}"`, email: `a@b.co\r\nATTENDEE:mailto:evil@example.com` },
      attendees: [{ name: `";ROLE=CHAIR:${evil}`, email: 'ada@example.com' }],
    })
    expect(text.split('\r\n').filter((line) => line === 'BEGIN:VEVENT')).toHaveLength(1)
    const { event, value } = read(text)
    expect(event.getAllProperties('attendee')).toHaveLength(1)
    expect(event.getFirstProperty('attendee')!.getParameter('role')).toBe('REQ-PARTICIPANT')
    expect(value('summary')).toBe(evil.replaceAll('\r\n', '\n'))
  })
})
