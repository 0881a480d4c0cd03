import type { Plan } from '../../platform/limits/plans.ts'

/** Why nothing can be booked at all, as a start's explanation says it too. */
export const CLOSED = {
  inactive: 'The event type is inactive.',
  suspended: 'The organization is suspended and takes no bookings.',
  unpayable: 'The event type has a price, but the organization has no connected payment provider.',
  noHosts: 'Nobody hosts the event type.',
  noHours: 'Neither the event type nor its hosts have any hours.',
  noResources: 'The event type requires more units than there are.',
  calendarLost: 'A calendar cannot be read, and the event type closes then.',
} as const

export function monthUsedUp({ bookingsPerMonth }: Plan): string {
  return `The plan's ${bookingsPerMonth} bookings for this month are used up.`
}
