import { describe, expect, it } from 'vitest'
import { importWhole, listed, openForeign } from '../support/foreign.ts'

const STUDIO = ['ada.berger@example.com', 'BEN.okafor@example.com', 'cem.yilmaz@example.com']

describe('an import from Calendly', () => {
  it('makes hours, event types and upcoming bookings of an organization', async () => {
    const { organization } = await openForeign('calendly', { emails: STUDIO })
    const job = await importWhole('calendly', organization)
    console.log(JSON.stringify(job, null, 1))
    const types = await listed(organization, '/v1/event-types?limit=100')
    console.log(
      JSON.stringify(
        types.map((t) => [
          t.title,
          t.slug,
          t.active,
          t.listed,
          t.assignment_strategy,
          t.max_attendees,
          t.hours_from,
          t.places,
          t.questions.length,
          t.buffer_after_minutes,
          t.duration_options,
          t.slot_interval_minutes,
          t.bookable,
        ]),
      ),
    )
    const bookings = await listed(organization, '/v1/bookings?limit=100')
    console.log(
      JSON.stringify(
        bookings.map((b) => [
          b.start_time,
          b.invitee_email,
          b.status,
          b.overridden,
          b.assigned_host?.name,
          b.location,
          b.conferencing_url,
          b.guests,
          b.attendees.length,
        ]),
      ),
    )
    expect(job.status).toBe('done')
  })
})
