import { expect, it } from 'vitest'
import { handleEvent } from '../../src/worker/jobs/handle-event.ts'
import { call } from '../support/app.ts'
import { bookingInput, createEventType, createOrganization, dayFromNow } from '../support/factories.ts'
import { serviceWith } from '../support/service-with.ts'

const SLOT = dayFromNow(3) + 10 * 3_600_000

/** A request whose emails were not written yet. */
async function requested() {
  const { liveKey: key } = await createOrganization({ ownerEmail: 'owner@example.com' })
  const sent: { to: string; subject: string }[] = []
  const service = serviceWith({ EMAIL: { send: async (email: any) => void sent.push(email) } })
  const { id } = await createEventType(key, { requires_approval: true, reminder_intervals: [] })
  const { body } = await service.call('POST', '/v1/bookings', { body: bookingInput(id, SLOT) })
  expect(body.status).toBe('pending_approval')
  return {
    ...service,
    key,
    id: body.id as string,
    token: body.cancel_token as string,
    /** Handles the events in the order of their messages, or backwards. */
    handled: async (isBackwards = false) => {
      const events = service.messages.filter((message) => message.type === 'event')
      for (const { eventId } of isBackwards ? events.toReversed() : events)
        await handleEvent(service.env, eventId)
      return sent.map(({ to, subject }) => `${to} ${subject.split(':')[0]}`)
    },
  }
}

it('sends the emails of a request that nobody decided yet', async () => {
  const { handled } = await requested()
  expect((await handled()).toSorted()).toEqual([
    'ada@example.com Request sent',
    'owner@example.com Approval needed',
  ])
})

it.each([
  ['approve', 'Confirmed', 'New booking'],
  ['decline', 'Cancelled', 'Cancelled'],
])(
  'sends only the email of the decision if a request is decided at once (%s)',
  async (verb, subject, toOwner) => {
    for (const isBackwards of [false, true]) {
      const { handled, key, id } = await requested()
      expect((await call('POST', `/v1/bookings/${id}/${verb}`, { key, body: {} })).status).toBe(200)
      expect(await handled(isBackwards)).toEqual([])
      const other = await requested()
      await other.call('POST', `/v1/bookings/${other.id}/${verb}`, { key: other.key, body: {} })
      expect((await other.handled(isBackwards)).toSorted()).toEqual([
        `ada@example.com ${subject}`,
        `owner@example.com ${toOwner}`,
      ])
    }
  },
)
