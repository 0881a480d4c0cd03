import type { Env } from '../../../env.ts'
import type { Tenant } from '../../../platform/auth/caller.ts'
import type { Db, Statement } from '../../../platform/db/client.ts'
import { newId } from '../../../platform/db/ids.ts'
import type { BookingRow } from '../../../platform/db/schema/bookings.ts'
import type { ClientBookingRow } from '../../../platform/db/schema/clients.ts'
import { wordsOf } from '../search/words.ts'
import { clientOf } from './contact.ts'
import { selectRemaining } from './queries.ts'
import {
  type ClientChange,
  dropEmptied,
  dropOldWords,
  guardCounted,
  keepCounted,
  leaveOut,
  renameClients,
  upsertClients,
} from './statements.ts'

type Counted = Omit<ClientBookingRow, 'organizationId' | 'isTest'>

/**
 * Counts bookings for their clients, as they are now. `known` is what was counted of them before, so counting one again changes
 * nothing.
 */
export async function countBookings(
  env: Env,
  db: Db,
  tenant: Tenant,
  rows: readonly BookingRow[],
  known: readonly ClientBookingRow[],
): Promise<Statement[]> {
  if (rows.length === 0) return []
  const before = new Map(known.map((row) => [row.bookingId, row]))
  const changes = new Map<string, ClientChange>()
  const changeOf = (contact: string): ClientChange => {
    const change = changes.get(contact) ?? unchanged(tenant, contact)
    changes.set(contact, change)
    return change
  }
  const kept: Counted[] = []
  const left: string[] = []
  const leftContacts = new Set<string>()
  for (const row of rows) {
    const { contact, phoneMark } = await clientOf(env, row)
    const counted = before.get(row.id)
    if (counted) add(changeOf(counted.contact), counted, -1)
    if (counted && counted.contact !== contact) leftContacts.add(counted.contact)
    if (contact === null) {
      if (counted) left.push(row.id)
      continue
    }
    const now = countedOf(row, contact)
    add(changeOf(contact), now, 1)
    if (!isSame(counted, now)) kept.push(now)
    const change = changeOf(contact)
    if (row.id > change.namedBy) nameAfter(change, row, phoneMark)
  }
  // A booking finds its client by the client's name, so it must be that of one of their bookings.
  for (const row of await remainingOf(db, tenant, leftContacts, rows)) {
    const { contact, phoneMark } = await clientOf(env, row)
    const change = contact === null ? undefined : changes.get(contact)
    if (change?.namedBy === '') nameAfter(change, row, phoneMark)
  }
  const all = [...changes.values()]
  const named = all.filter(({ namedBy }) => namedBy !== '')
  return [
    guardCounted(db, rows, before),
    ...(kept.length > 0 ? [keepCounted(db, tenant, kept)] : []),
    ...(left.length > 0 ? [leaveOut(db, left)] : []),
    ...(named.length > 0 ? [dropOldWords(db, tenant, named), renameClients(db, tenant, named)] : []),
    ...(all.length > 0 ? [upsertClients(db, tenant, all)] : []),
    ...(leftContacts.size > 0 ? dropEmptied(db, tenant, all) : []),
  ]
}

/** A booking of each client whom one of `counted` left. */
async function remainingOf(
  db: Db,
  tenant: Tenant,
  contacts: ReadonlySet<string>,
  counted: readonly BookingRow[],
): Promise<readonly BookingRow[]> {
  if (contacts.size === 0) return []
  const ids = counted.map(({ id }) => id)
  return selectRemaining(db, tenant, [...contacts], ids)
}

function unchanged({ organizationId }: Tenant, contact: string): ClientChange {
  const sums = { bookings: 0, cancelled: 0, noShows: 0 }
  const nobody = { name: '', sortName: '', words: '', phone: null, phoneMark: null, namedBy: '' }
  return { id: newId(organizationId), contact, ...sums, ...nobody }
}

function countedOf(row: BookingRow, contact: string): Counted {
  return {
    bookingId: row.id,
    contact,
    isCancelled: row.status === 'cancelled',
    startTime: row.startTime,
    noShow: row.attendees.some((seat) => seat.is_primary && seat.no_show === true),
  }
}

function isSame(before: Counted | undefined, now: Counted): boolean {
  return (
    before?.contact === now.contact &&
    before.isCancelled === now.isCancelled &&
    before.startTime === now.startTime &&
    before.noShow === now.noShow
  )
}

function add(change: ClientChange, { isCancelled, noShow }: Counted, sign: 1 | -1): void {
  change[isCancelled ? 'cancelled' : 'bookings'] += sign
  if (noShow) change.noShows += sign
}

function nameAfter(change: ClientChange, row: BookingRow, phoneMark: string | null): void {
  change.namedBy = row.id
  change.name = row.inviteeName
  change.sortName = sortNameOf(row.inviteeName)
  const address = row.inviteeEmail === '' ? '' : change.contact
  const words = new Set([row.inviteeName, address].flatMap(wordsOf))
  change.words = [...words].map((word) => ` ${word}`).join('')
  if (phoneMark === null) return
  change.phone = row.inviteePhone
  change.phoneMark = phoneMark
}

/** Without accents, so that Änne comes before Berta. A name of signs stays as it is. */
function sortNameOf(name: string): string {
  return wordsOf(name).join(' ') || name
}
