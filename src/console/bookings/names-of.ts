import type { Booking } from '../../booking/bookings/schema.ts'

/** The hosts of a booking on one line; members who never gave a name are shown by their address or id. */
export function namesOf(hosts: Booking['hosts']): string {
  return hosts.map(({ name, email, user_id }) => name || email || user_id).join(', ')
}
