import type { Place } from '../../../platform/db/schema/event-types.ts'
import type { NewPlace } from '../places-of.ts'
import { httpsOf, lineOf, linesOf } from '../text-of.ts'

/** Where an event type meets, whose kind is `kind`, or where an event meets, whose kind is `type`. */
export type Location = {
  readonly kind?: string
  readonly type?: string
  readonly location?: string | null
  readonly additional_info?: string | null
  readonly phone_number?: string | null
  readonly join_url?: string | null
}

const CALLS: Readonly<Record<string, Place['kind']>> = {
  zoom: 'video_a',
  zoom_conference: 'video_a',
  google_conference: 'calendar_a_meet',
  microsoft_teams: 'calendar_b_meet',
  microsoft_teams_conference: 'calendar_b_meet',
  outbound_call: 'phone_out',
}

/** The place of a location; null if there is nothing like it here. */
export function placeOf(location: Location): NewPlace | null {
  const kind = location.kind ?? location.type ?? ''
  const call = CALLS[kind]
  if (call) return { kind: call, value: null }
  const text = linesOf([location.location, location.additional_info].filter(Boolean).join('\n'), 500)
  switch (kind) {
    case 'inbound_call': {
      const value = lineOf(location.phone_number ?? location.location, 100)
      return value === null ? null : { kind: 'phone_in', value, label: lineOf(location.additional_info, 100) }
    }
    case 'physical':
      return { kind: 'in_person', value: text }
    case 'custom': {
      const url = httpsOf(location.location)
      return url ? { kind: 'custom', value: url } : { kind: 'in_person', value: text }
    }
    default:
      return null
  }
}

export function describeLocation({ kind }: Location) {
  return { name: kind ?? 'unknown', isOfInvitee: kind === 'ask_invitee' }
}
