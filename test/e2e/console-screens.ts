/** Every screen that is looked at: in the light, in the dark and on a phone. */
export const SCREENS: readonly (readonly [name: string, path: string])[] = [
  ['start', '/console/start'],
  ['bookings', '/console/bookings'],
  ['bookings-none', '/console/bookings?view=past'],
  ['requests', '/console/bookings?view=requests'],
  ['waitlist', '/console/bookings?view=waitlist'],
  ['waitlist-new', '/console/bookings/waitlist/new'],
  ['book-for', '/console/bookings/new'],
  ['event-types', '/console/event-types'],
  ['event-type-new', '/console/event-types/new'],
  ['hours', '/console/hours'],
  ['schedule-new', '/console/hours/new'],
  ['time-off-new', '/console/hours/time-off'],
  ['week', '/console/hours/week?from=2027-03-10'],
  ['calendars', '/console/calendars'],
  ['calendars-connect', '/console/calendars/connect'],
  ['calendars-caldav', '/console/calendars/connect/caldav'],
  ['calendars-feed', '/console/calendars/connect/feed'],
  ['team', '/console/team'],
  ['team-invite', '/console/team/invite'],
  ['activity', '/console/team/activity'],
  ['page', '/console/page'],
  ['page-address', '/console/page/address'],
  ['page-embed', '/console/page/embed'],
  ['page-popup', '/console/page/embed?mode=popup'],
  ['keys', '/console/developers'],
  ['key-new', '/console/developers/keys/new'],
  ['webhooks', '/console/developers/webhooks'],
  ['webhook-new', '/console/developers/webhooks/new'],
  ['events', '/console/developers/events'],
  ['calls', '/console/developers/requests'],
  ['explain', '/console/developers/explain'],
  ['settings', '/console/settings'],
  ['settings-organization', '/console/settings/organization'],
  ['settings-sessions', '/console/settings/sessions'],
  ['settings-passkeys', '/console/settings/passkeys'],
  ['settings-people', '/console/settings/people'],
  ['settings-support', '/console/settings/support'],
]

/** The parts of the editor of an event type. */
export function editorScreens(id: string): typeof SCREENS {
  return ['', '/hours', '/hosts', '/form', '/payment', '/look', '/delete'].map((part) => [
    `editor${part.replace('/', '-')}`,
    `/console/event-types/${id}${part}`,
  ])
}
