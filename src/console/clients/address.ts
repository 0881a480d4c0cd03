import type { ListedClient } from '../../booking/bookings/clients/schema.ts'

/** Where a client is shown: by address, else by phone number. */
export function clientAddress({ email, phone }: Pick<ListedClient, 'email' | 'phone'>): `/console${string}` {
  return `/console/clients/one?contact=${encodeURIComponent(email ?? phone ?? '')}`
}
