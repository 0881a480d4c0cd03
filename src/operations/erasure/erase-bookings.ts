import { callForRewritten } from '../../booking/bookings/follow-ups/statements.ts'
import { withoutWords } from '../../booking/bookings/search/keep-words.ts'
import { isOurReason, OUR_REASONS } from '../../money/payments/reasons.ts'
import { seal, unseal } from '../../platform/auth/secret.ts'
import type { BookingRow } from '../../platform/db/schema/bookings.ts'
import type { waitlistEntries } from '../../platform/db/schema/waitlist.ts'
import { asParameters, type Erasing, inPages } from './erasing.ts'
import { findBookings, findEntries, selectBookings, selectEntries } from './queries.ts'
import {
  clearBookedLog,
  clearBookings,
  clearEntries,
  clearHoldsOf,
  clearLog,
  clearRefunds,
  renewSchedules,
} from './statements.ts'
import { ofNobody, withoutPerson } from './without-person.ts'

type EntryRow = typeof waitlistEntries.$inferSelect

/** A booking that changes while it is read is read again so often. */
const MOST_ROUNDS = 5

/** Takes them out of bookings, theirs and those of others, with all that is found by these alone, page by page. */
export async function eraseFromBookings(erasing: Erasing): Promise<void> {
  const { env, db, tenant, person } = erasing
  const found = await findBookings(db, { tenant, needles: person.needles })
  let ids = found.map(({ id }) => id)
  for (let round = 0; ids.length > 0 && round < MOST_ROUNDS; round++) {
    const changed: string[] = []
    const all = ids
    await withoutWords(env, db, tenant, all, () =>
      inPages(erasing, all, async (page) => {
        changed.push(...(await clearPage(erasing, page)))
      }),
    )
    ids = changed
  }
}

/** Returns the ids that others changed in the meantime. */
async function clearPage(erasing: Erasing, ids: readonly string[]): Promise<string[]> {
  const { env, db, person, now, counts } = erasing
  const read = await selectBookings(db, ids)
  const cleared = await Promise.all(read.map((row) => withoutThem(env.ENCRYPTION_KEY, row, erasing)))
  const rows = cleared.filter((row) => row !== null)
  if (rows.length === 0) return []
  const theirs = JSON.stringify(
    read.filter(({ id, inviteeEmail: email }) => person.owns({ id, email })).map(({ id }) => id),
  )
  const toCome = read.filter(({ endTime }) => endTime > now).map(({ id }) => id)
  const all = JSON.stringify(rows.map(({ id }) => id).filter((id) => toCome.includes(id)))
  const updates = asParameters(rows).map((list) => clearBookings(db, list, now))
  const [logged, booked, refunds, holds, , , , ...updated] = await db.batch([
    clearLog(db, theirs, OUR_REASONS),
    clearBookedLog(db, theirs),
    clearRefunds(db, theirs),
    clearHoldsOf(db, theirs),
    renewSchedules(db, all),
    ...callForRewritten(db, all),
    ...updates,
  ])
  const done = new Set((updated as { id: string }[][]).flat().map(({ id }) => id))
  counts.activity += logged.length + booked.length
  counts.refunds += refunds.length
  counts.slot_holds += holds.length
  for (const { id, isTheirs } of rows) {
    if (done.has(id)) counts[isTheirs ? 'bookings' : 'guests'] += 1
  }
  return rows.filter(({ id }) => !done.has(id)).map(({ id }) => id)
}

/** A booking's new columns; null when it says nothing about the person. */
async function withoutThem(encryptionKey: string, row: BookingRow, { person }: Pick<Erasing, 'person'>) {
  const isTheirs = person.owns({ id: row.id, email: row.inviteeEmail })
  const isErased = (seat: BookingRow['attendees'][number]) =>
    person.is(seat.email) || (isTheirs && seat.is_primary)
  const attendees = row.attendees.map((seat) => (isErased(seat) ? ofNobody(seat) : seat))
  const answers = isTheirs ? null : await answersWithout(encryptionKey, row.answers, person)
  const isAlone = attendees.every(({ email }) => email === '')
  // A guest has no seat to keep.
  const guests = (row.guests ?? []).filter(({ email }) => !person.is(email))
  const after = isTheirs
    ? {
        inviteeName: '',
        inviteeEmail: '',
        inviteeTimezone: 'UTC',
        inviteeLocale: 'en',
        inviteePhone: null,
        notes: null,
        metadata: '{}',
        cancelReason: isOurReason(row.cancelReason) ? row.cancelReason : null,
        networkMark: null,
        addressMark: null,
      }
    : {
        inviteeName: row.inviteeName,
        inviteeEmail: row.inviteeEmail,
        inviteeTimezone: row.inviteeTimezone,
        inviteeLocale: row.inviteeLocale,
        inviteePhone: row.inviteePhone,
        notes: row.notes && person.takenFrom(row.notes),
        metadata: JSON.stringify(withoutPerson(row.metadata, person).value),
        cancelReason: row.cancelReason && person.takenFrom(row.cancelReason),
        networkMark: row.networkMark,
        addressMark: row.addressMark,
      }
  const isSame =
    !isTheirs &&
    attendees.every((seat, at) => seat === row.attendees[at]) &&
    guests.length === (row.guests ?? []).length &&
    [answers, after.notes, after.cancelReason].every(
      (text, at) => text === [row.answers, row.notes, row.cancelReason][at],
    ) &&
    after.metadata === JSON.stringify(row.metadata)
  if (isSame) return null
  const { id, revision } = row
  const people = {
    attendees: JSON.stringify(attendees),
    guests: guests.length === 0 ? null : JSON.stringify(guests),
  }
  return { id, revision, isTheirs, ...after, answers, ...people, isAlone }
}

/** What somebody else answered, sealed as it was where it does not name them. */
async function answersWithout(encryptionKey: string, sealed: string | null, person: Erasing['person']) {
  if (sealed === null) return null
  const { value, isChanged } = withoutPerson(JSON.parse(await unseal(encryptionKey, sealed)), person)
  return isChanged ? seal(encryptionKey, JSON.stringify(value)) : sealed
}

/** The same in waitlists. Their entries are removed, and no notification is sent. */
export async function eraseFromWaitlists(erasing: Erasing): Promise<void> {
  const { db, tenant, person, now, counts } = erasing
  const found = await findEntries(db, { tenant, needles: person.needles })
  const ids = found.map(({ id }) => id)
  await inPages(erasing, ids, async (page) => {
    const read = await selectEntries(db, page)
    const rows = read.map((row) => entryWithout(row, person)).filter((row) => row !== null)
    if (rows.length === 0) return
    const theirs = JSON.stringify(rows.filter(({ inviteeEmail }) => inviteeEmail === '').map(({ id }) => id))
    const updates = asParameters(rows).map((list) => clearEntries(db, list, now))
    const [logged, ...updated] = await db.batch([clearLog(db, theirs, OUR_REASONS), ...updates])
    counts.activity += logged.length
    counts.waitlist_entries += updated.flat().length
  })
}

function entryWithout(row: EntryRow, person: Erasing['person']) {
  const {
    id,
    inviteeName,
    inviteeEmail,
    inviteeTimezone,
    inviteeLocale,
    answers,
    inviteePhone,
    addressMark,
  } = row
  if (person.owns({ id, email: inviteeEmail })) {
    const nobody = { inviteeName: '', inviteeEmail: '', inviteeTimezone: 'UTC', inviteeLocale: 'en' }
    return { id, ...nobody, notes: null, answers: null, inviteePhone: null, addressMark: null }
  }
  const notes = row.notes && person.takenFrom(row.notes)
  if (notes === row.notes) return null
  return {
    id,
    inviteeName,
    inviteeEmail,
    inviteeTimezone,
    inviteeLocale,
    notes,
    answers,
    inviteePhone,
    addressMark,
  }
}
