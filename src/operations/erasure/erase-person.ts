import { SECOND_MS } from '../../core/time-units.ts'
import { recordActivity } from '../../outbox/activity/statements.ts'
import { forgetWaysIn } from '../../people/sign-in/ways-in/forget-ways-in.ts'
import type { TenantCaller } from '../../platform/auth/caller.ts'
import { commitBatch, openDb } from '../../platform/db/client.ts'
import { takeTime } from '../../platform/db/deadline.ts'
import { type Context, originOf } from '../../platform/http/context.ts'
import { eraseFromBookings, eraseFromWaitlists } from './erase-bookings.ts'
import { eraseClient, eraseFromNotes } from './erase-clients.ts'
import { eraseCodes } from './erase-codes.ts'
import { eraseEmails, type Subjects } from './erase-emails.ts'
import { eraseFromDeliveries, eraseFromEvents, eraseFromTexts } from './erase-events.ts'
import { eraseFromTyped } from './erase-typed.ts'
import { type Erasing, inPages } from './erasing.ts'
import { findPerson } from './find-person.ts'
import {
  findBookings,
  findEntries,
  findEvents,
  selectBookings,
  selectEntries,
  selectEvents,
} from './queries.ts'
import { keptOf, withOutOfReach } from './retained.ts'
import type { Erased } from './schema.ts'
import { withoutPerson } from './without-person.ts'

/** One call goes on for so long; the next one does the rest. */
const BUDGET_MS = 60 * SECOND_MS

const NOTHING: Erased['erased'] = {
  bookings: 0,
  guests: 0,
  waitlist_entries: 0,
  events: 0,
  webhook_deliveries: 0,
  letters: 0,
  activity: 0,
  slot_holds: 0,
  refunds: 0,
  kept_answers: 0,
  codes: 0,
  support_requests: 0,
  clients: 0,
  time_off: 0,
}

/**
 * Removes a person from everything that one organization stores in one mode. Waitlist entries go first because they may be
 * booked at any moment, then bookings because everything else is made from them: what is made later from a booking read earlier
 * is refused, by its revision or because its event is handled.
 * Each step finds what is left, so a call that broke off is simply repeated.
 */
export async function erasePerson(
  ctx: Context<TenantCaller>,
  address: string,
  budgetMs: number = BUDGET_MS,
): Promise<Erased> {
  takeTime(ctx.env)
  const { organizationId, isTest } = ctx.caller
  const tenant = { organizationId, isTest }
  const [db, now] = [openDb(ctx.env, 'decide'), Date.now()]
  const counts = { ...NOTHING }
  const until = now + budgetMs
  const person = await findPerson({ env: ctx.env, db, tenant, until }, address)
  const erasing = { env: ctx.env, db, tenant, person, now, until, counts }
  // Emails may name them without their address, so they are found by their subjects while those are known.
  const known = await subjectsOf(erasing)
  await eraseEmails(erasing, known)
  await eraseFromWaitlists(erasing)
  // Also what they were booked for until then.
  const subjects = new Set([...known, ...(await subjectsOf(erasing))])
  await eraseClient(erasing, address)
  await eraseFromBookings(erasing)
  await eraseClient(erasing, address)
  await eraseFromEvents(erasing)
  await eraseFromDeliveries(erasing)
  await eraseFromTexts(erasing)
  await eraseFromTyped(erasing)
  await eraseFromNotes(erasing)
  await eraseEmails(erasing, subjects)
  await eraseCodes(erasing)
  // Only for people who are a member nowhere: members stay members, and sign in.
  if (address.includes('@')) await forgetWaysIn(ctx.env, { memberIds: [], emails: [address] })
  const kept = await keptOf(db, tenant, erasing.person)
  const wasKnown = Object.values(counts).some((count) => count > 0)
  if (wasKnown) {
    const entry = {
      action: 'person.erased',
      resourceType: 'organization',
      resourceId: organizationId,
    } as const
    await commitBatch(db, [recordActivity(db, tenant, originOf(ctx), { ...entry, changes: counts })])
  }
  return { erased: counts, kept: wasKnown ? withOutOfReach(kept) : kept }
}

type Booked = {
  readonly id: string
  readonly inviteeEmail: string
  readonly attendees?: readonly { readonly email: string }[]
}

/** In a sandbox also emails that only name them: an attachment may, when it folds their address. */
async function subjectsOf(erasing: Erasing): Promise<Subjects> {
  const { db, tenant, person } = erasing
  const sought = { tenant, needles: person.needles }
  const [booked, waited, told] = await db.batch([
    findBookings(db, sought),
    findEntries(db, sought),
    findEvents(db, sought),
  ])
  const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id)
  const theirs = new Set<string>()
  const note = (rows: readonly Booked[]) => {
    for (const { id, inviteeEmail, attendees = [] } of rows) {
      const isNamed = tenant.isTest && attendees.some(({ email }) => person.is(email))
      if (isNamed || person.owns({ id, email: inviteeEmail })) theirs.add(id)
    }
  }
  await inPages(erasing, ids(booked), async (page) => note(await selectBookings(db, page)))
  await inPages(erasing, ids(waited), async (page) => note(await selectEntries(db, page)))
  await inPages(erasing, ids(told), async (page) => {
    for (const { id, data } of await selectEvents(db, page)) {
      const { isTheirs, isChanged } = withoutPerson(data, person)
      if (isTheirs || (tenant.isTest && isChanged)) theirs.add(id)
    }
  })
  return theirs
}
