/** Where scheduled events take place; `type` here is `kind` at event types: developer.calendly.com/api-docs (location). */
export const LOCATIONS = {
  physical: { type: 'physical', location: 'Studio, Torstraße 1, 10119 Berlin', additional_info: null },
  outbound: { type: 'outbound_call', location: '+1 202-555-0123' },
  asked: { type: 'ask_invitee', location: 'At the river' },
  custom: { type: 'custom', location: 'https://meet.example.com/ada' },
  google: {
    type: 'google_conference',
    status: 'pushed',
    join_url: 'https://calendly.com/events/PAIDEVENTPAIDEVE/google_meet',
  },
  // The conference is made after the event.
  processing: { type: 'webex_conference', status: 'processing', join_url: null, data: null },
  // Listed as `zoom_conference` and seen as `zoom` in the examples of the documentation.
  zoom: {
    type: 'zoom',
    status: 'pushed',
    join_url: 'https://zoom.us/j/123456',
    data: { id: 123456, settings: { global_dial_in_numbers: [] }, extra: {}, password: '123456' },
  },
  gotomeeting: { type: 'gotomeeting', status: 'failed', join_url: null, data: null },
  teams: {
    type: 'microsoft_teams_conference',
    status: 'pushed',
    join_url: 'https://teams.microsoft.com/l/meetup-join/123',
    data: { id: '123456', audioConferencing: null },
  },
} as const
