import ICAL from 'ical.js'
import { expect, vi } from 'vitest'
import { call } from './app.ts'

export type Item = {
  readonly id: string
  readonly channel: string
  readonly to: string
  readonly from_name: string | null
  readonly reply_to: string | null
  readonly subject: string
  readonly body: string
  readonly html: string
  readonly attachments: readonly { filename: string; type: string; content: string }[]
}

/** The letters of a sandbox to one address, the oldest first, once there are so many. */
export async function lettersTo(key: string, to: string, count: number): Promise<Item[]> {
  return vi.waitFor(
    async () => {
      const { body } = await call('GET', '/v1/test-data/outbox?limit=100', { key })
      const items = body.data.filter((item: Item) => item.channel === 'email' && item.to === to)
      expect(items).toHaveLength(count)
      return items.reverse()
    },
    { timeout: 10_000, interval: 50 },
  )
}

/** The event in the calendar file of a letter. */
export function eventIn({ attachments }: Pick<Item, 'attachments'>) {
  const calendar = new ICAL.Component(ICAL.parse(attachments[0]!.content))
  const event = calendar.getFirstSubcomponent('vevent')!
  const told = (name: string) => event.getFirstPropertyValue(name)?.toString() ?? null
  return {
    method: calendar.getFirstPropertyValue('method'),
    uid: told('uid'),
    sequence: Number(told('sequence')),
    summary: told('summary'),
    description: told('description'),
    location: told('location'),
    start: told('dtstart'),
    attendees: event.getAllProperties('attendee').map((one) => String(one.getFirstValue())),
  }
}
