/** Every screen that is looked at: in the light, in the dark and on a phone. */
export const SCREENS: readonly (readonly [name: string, path: string])[] = [
  ['start', '/console/start'],
  ['bookings', '/console/bookings'],
  ['bookings-none', '/console/bookings?view=past'],
  ['waitlist', '/console/bookings?view=waitlist'],
  ['book-for', '/console/bookings/new'],
  ['event-types', '/console/event-types'],
  ['event-type-new', '/console/event-types/new'],
  ['settings', '/console/settings'],
  ['settings-organization', '/console/settings/organization'],
  ['settings-sessions', '/console/settings/sessions'],
]
