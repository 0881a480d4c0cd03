import type { LeftOut } from '../../platform/db/schema/import-jobs.ts'

/** Why something is not taken over, wholly or in part. */
export const WHYS = {
  no_member: 'No member here has this address. Nobody is invited; invite them and add them as a host.',
  no_host: 'None of its hosts is a member here.',
  no_event_type: 'Its event type is gone there, or was not imported.',
  poll: 'Meeting polls have no event type here.',
  several_pools: 'Here an event type chooses from one group of hosts.',
  managed: 'It is a template there. The copies of the members are imported with their own keys.',
  redirect: 'Redirects need an allowed host here. Set it again.',
  approval: 'Here every booking of it must be approved.',
  one_limit: 'An event type has one limit here.',
  business_days: 'Here all days count. It is as many calendar days.',
  price: 'Prices are not imported. Set one here.',
  paid: 'The payment stays at the other service, and so does a refund.',
  place: 'There is nothing like this place here.',
  place_of_invitee: 'Invitees cannot enter a place here.',
  no_calendar: 'Connect a calendar that makes these meetings first.',
  seats: 'The other service does not say how many seats there are. It has 10; change that here.',
  too_many_seats: 'An event type has at most 100 seats here.',
  question: 'There is no such question here.',
  further_questions: 'An event type has at most 20 questions here.',
  buffer: 'Buffers are at most 120 minutes here.',
  not_told: 'The other service does not say it to programs. Set it here.',
  not_supported: 'There is no such setting here.',
  not_allowed: 'The secret may not read it.',
  duration: 'Meetings are 5 to 480 minutes long here.',
  not_its_host: 'Its host does not host this event type here.',
  taken: 'Its host, or its event type, has another booking at that time.',
  refused: 'It is not possible here.',
  unreadable: 'The other service sent something unexpected.',
  no_invitee: 'The other service does not say who booked it.',
  most: 'An import makes at most 5,000 bookings. Start another one for the rest.',
  unavailable: 'The other service did not answer. Start the import again.',
  secret_refused: 'The other service refuses the secret since then. Start the import again with another one.',
  failed: 'Something went wrong on our side. Start the import again.',
} as const

export type Why = keyof typeof WHYS

export function leftOut(what: string, why: Why, said?: string): LeftOut {
  return { what: what.slice(0, 200), why, ...(said && { said: said.slice(0, 200) }) }
}

/** The reason as a sentence; what the service itself said of it says more. */
export function whyOf({ why, said }: LeftOut, texts: Readonly<Record<Why, string>> = WHYS): string {
  return said ?? texts[why as Why] ?? texts.unreadable
}
