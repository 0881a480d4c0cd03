import { findClientRow } from '../../booking/bookings/clients/find-client.ts'
import { presentClient } from '../../booking/bookings/clients/present.ts'
import { everybodyIn } from '../../booking/bookings/email-recipients.ts'
import { presentBooking, presentPhone } from '../../booking/bookings/present.ts'
import { presentAnswers } from '../../booking/questions/take-answers.ts'
import { presentEntry } from '../../booking/waitlist/present.ts'
import { MINUTE_MS } from '../../core/time-units.ts'
import type { TenantCaller } from '../../platform/auth/caller.ts'
import { openDb } from '../../platform/db/client.ts'
import { takeTime } from '../../platform/db/deadline.ts'
import type { Context } from '../../platform/http/context.ts'
import { notFound } from '../../platform/http/errors.ts'
import { formatInstant } from '../../platform/http/instants.ts'
import { inPages } from './erasing.ts'
import { findPerson } from './find-person.ts'
import {
  findBookings,
  findEntries,
  findSupportRequests,
  findTimeOff,
  selectBookings,
  selectEmails,
  selectEntries,
} from './queries.ts'
import { keptOf, withOutOfReach } from './retained.ts'
import type { PersonData } from './schema.ts'

const PATIENCE_MS = MINUTE_MS

/** What one organization keeps of somebody in one mode. */
export async function exportPerson(
  { env, caller, now }: Context<TenantCaller>,
  address: string,
): Promise<PersonData> {
  takeTime(env)
  const tenant = { organizationId: caller.organizationId, isTest: caller.isTest }
  const row = await findClientRow({ env, tenant, now }, openDb(env, 'decide'), address)
  const db = openDb(env, 'read')
  const limits = { until: Date.now() + PATIENCE_MS }
  const person = await findPerson({ env, db, tenant, ...limits }, address)
  const sought = { tenant, needles: person.needles }
  const [booked, waited, asked, off] = await db.batch([
    findBookings(db, sought),
    findEntries(db, sought),
    findSupportRequests(db, sought),
    findTimeOff(db, sought),
  ])
  const names = (...texts: readonly (string | null)[]) => texts.some((text) => text && person.isIn(text))
  const told: PersonData = {
    email: address.includes('@') ? person.email : null,
    phone: address.includes('@') ? null : address,
    client: row && (await presentClient(env, caller, row)),
    bookings: [],
    guest_in: [],
    waitlist_entries: [],
    letters: [],
    support_requests: asked
      .filter(({ subject, message }) => names(subject, message))
      .map(({ createdAt, ...request }) => ({ ...request, created_at: formatInstant(createdAt) })),
    time_off: off
      .filter(
        ({ reason, externalId }) =>
          names(reason) || (externalId && person.takenFromKey(externalId) !== externalId),
      )
      .map(({ id, memberId, reason, externalId }) => ({
        // Time off of everybody names the organization.
        ...{ id, member_id: memberId === tenant.organizationId ? null : memberId, reason },
        external_id: externalId,
      })),
    kept: await keptOf(db, tenant, person),
  }
  await inPages(limits, booked, async (page) => {
    for (const row of await selectBookings(db, page.map(idOf))) {
      if (person.owns({ id: row.id, email: row.inviteeEmail })) {
        const answers = await presentAnswers(env, row.answers)
        const invitee_phone = await presentPhone(env, row)
        told.bookings.push({ ...presentBooking(row), answers, invitee_phone, sms_consent: row.smsConsent })
        continue
      }
      const seats = everybodyIn(presentBooking(row)).filter((seat) => person.is(seat.email))
      const times = { start_time: formatInstant(row.startTime), end_time: formatInstant(row.endTime) }
      told.guest_in.push(
        ...seats.map(({ name, email: address, timezone }) => ({
          booking_id: row.id,
          ...times,
          name,
          email: address,
          timezone,
        })),
      )
    }
  })
  await inPages(limits, waited, async (page) => {
    for (const row of await selectEntries(db, page.map(idOf))) {
      if (!person.owns({ id: row.id, email: row.inviteeEmail })) continue
      const { position: _, ...entry } = presentEntry(row, 0)
      const invitee_phone = await presentPhone(env, row)
      told.waitlist_entries.push({ ...entry, answers: await presentAnswers(env, row.answers), invitee_phone })
    }
  })
  const letters = tenant.isTest ? [] : await selectEmails(db, tenant.organizationId)
  for (const { kind, recipient, createdAt } of letters) {
    if (person.is(recipient)) told.letters.push({ kind, recipient, created_at: formatInstant(createdAt) })
  }
  const { email: _, phone: __, client, ...lists } = told
  if (client === null && Object.values(lists).every((list) => list.length === 0)) throw notFound('person')
  return { ...told, kept: withOutOfReach(told.kept) }
}

function idOf({ id }: { readonly id: string }): string {
  return id
}
