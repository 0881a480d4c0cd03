import * as z from 'zod'
import { Client } from '../../booking/bookings/clients/schema.ts'
import { Booking } from '../../booking/bookings/schema.ts'
import { GivenAnswers } from '../../booking/questions/schema.ts'
import { WaitlistEntry } from '../../booking/waitlist/schema.ts'
import { problem } from '../../platform/reasons/reason.ts'

export const PersonParams = z.object({
  email: z
    .string()
    .max(254)
    .regex(/^([^@\s]+@[^@\s]+|\+[1-9]\d{6,14})$/, problem('not_an_email'))
    .meta({ example: 'ada@example.com' })
    .describe('An email address in any letter case, or a phone number in E.164 with its plus as `%2B`.'),
})

const Count = (what: string) => z.int().min(0).describe(what)

const kept = z
  .array(
    z
      .object({ what: z.string(), why: z.string() })
      .meta({ id: 'KeptOfPerson', description: 'What stays, and why.' }),
  )
  .describe('Data with the address that is not erased, and why.')
export type Kept = { readonly what: string; readonly why: string }

export const Erased = z
  .object({
    kept,
    erased: z.object({
      bookings: Count('Bookings of theirs, which are anonymous now. Upcoming ones keep their seats.'),
      guests: Count('Bookings of others where they were a guest or were named.'),
      waitlist_entries: Count('Waitlist entries. Waiting ones are removed.'),
      events: Count('Events of the feed.'),
      webhook_deliveries: Count('Deliveries. Pending ones are dropped.'),
      letters: Count('Queued and undelivered emails; in a sandbox, those of its outbox.'),
      activity: Count('Entries of the activity log with their network address or text.'),
      slot_holds: Count('Holds that came with data of theirs.'),
      refunds: Count('Refunds with a reason that was typed.'),
      kept_answers: Count('Answers under an `Idempotency-Key`.'),
      codes: Count('Codes that were mailed to them.'),
      support_requests: Count('Support requests that named their address, which is `[erased]` in them.'),
      clients: Count(
        'What was known of them as a client, with notes, and notes about others that named them.',
      ),
      time_off: Count('Time off whose reason or `external_id` named it.'),
    }),
  })
  .meta({
    id: 'Erased',
    description: 'How many of each were changed or deleted.',
    example: {
      kept: [{ what: 'backups', why: 'Backups of the operator hold it until they are deleted.' }],
      erased: {
        bookings: 2,
        guests: 1,
        waitlist_entries: 1,
        events: 4,
        webhook_deliveries: 4,
        letters: 1,
        activity: 3,
        slot_holds: 0,
        refunds: 0,
        kept_answers: 1,
        codes: 0,
        support_requests: 0,
        clients: 1,
        time_off: 1,
      },
    },
  })
export type Erased = z.infer<typeof Erased>

const Seat = z
  .object({
    booking_id: z.string(),
    start_time: z.string(),
    end_time: z.string(),
    name: z.string(),
    email: z.string(),
    timezone: z.string(),
  })
  .meta({ id: 'GuestSeat', description: 'A seat as a guest in another booking.' })

const Waiting = z
  .object({ kind: z.string(), recipient: z.string(), created_at: z.string() })
  .meta({ id: 'WaitingEmail', description: 'A queued or undelivered email.' })

const KeptBooking = Booking.extend({
  answers: GivenAnswers,
  invitee_phone: z.string().nullable(),
  sms_consent: z.boolean(),
}).meta({
  id: 'KeptBooking',
  description: 'A booking of theirs with their answers and their phone.',
})

const KeptEntry = WaitlistEntry.omit({ position: true })
  .extend({ answers: GivenAnswers, invitee_phone: z.string().nullable() })
  .meta({ id: 'KeptWaitlistEntry', description: 'A waitlist entry of theirs.' })

export const PersonData = z
  .object({
    email: z.string().nullable().describe('Null if they were looked up by phone number.'),
    phone: z.string().nullable(),
    client: Client.nullable().describe('What is known of them as a client, with the notes of members.'),
    bookings: z.array(KeptBooking),
    guest_in: z.array(Seat),
    waitlist_entries: z.array(KeptEntry),
    letters: z.array(Waiting),
    support_requests: z
      .array(z.object({ id: z.string(), subject: z.string(), message: z.string(), created_at: z.string() }))
      .describe('Support requests with the address.'),
    time_off: z
      .array(
        z.object({
          id: z.string(),
          member_id: z.string().nullable(),
          reason: z.string().nullable(),
          external_id: z.string().nullable(),
        }),
      )
      .describe('Time off of members whose reason or `external_id` has the address.'),
    kept,
  })
  .meta({
    id: 'PersonData',
    description: 'The stored data of a person, oldest first.',
    example: {
      email: 'ada@example.com',
      phone: null,
      client: null,
      bookings: [],
      guest_in: [
        {
          booking_id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c46',
          start_time: '2026-03-09T13:00:00.000Z',
          end_time: '2026-03-09T13:30:00.000Z',
          name: 'Ada Lovelace',
          email: 'ada@example.com',
          timezone: 'Europe/London',
        },
      ],
      waitlist_entries: [],
      letters: [],
      support_requests: [],
      time_off: [],
      kept: [],
    },
  })
export type PersonData = z.infer<typeof PersonData>
