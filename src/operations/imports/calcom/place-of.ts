import type { Place } from '../../../platform/db/schema/event-types.ts'
import type { NewPlace } from '../places-of.ts'
import { httpsOf, lineOf, linesOf, phoneOf } from '../text-of.ts'

export type Location = {
  readonly type: string
  readonly address?: string
  readonly link?: string
  readonly phone?: string
  readonly integration?: string
}

const APPS: Readonly<Record<string, Place['kind']>> = {
  zoom: 'video_a',
  'google-meet': 'calendar_a_meet',
  'office365-video': 'calendar_b_meet',
  msteams: 'calendar_b_meet',
}

/** The place of a location; null if there is nothing like it here. */
export function placeOf({ type, address, link, phone, integration = '' }: Location): NewPlace | null {
  switch (type) {
    case 'address':
      return { kind: 'in_person', value: linesOf(address, 500) }
    case 'link': {
      const value = httpsOf(link)
      return value === null ? null : { kind: 'custom', value }
    }
    case 'phone': {
      const value = lineOf(phone, 100)
      return value === null ? null : { kind: 'phone_in', value }
    }
    case 'attendeePhone':
      return { kind: 'phone_out', value: null }
    case 'integration':
      return APPS[integration] ? { kind: APPS[integration], value: null } : null
    default:
      return null
  }
}

/** Where a booking meets: a text there, which may be an address on the web, a number or the name of an app. */
export function meetingOf(location: unknown): {
  readonly place: NewPlace | null
  readonly meetingUrl: string | null
  readonly phone: string | null
} {
  const [meetingUrl, phone] = [httpsOf(location), phoneOf(location)]
  if (meetingUrl !== null) return { place: null, meetingUrl, phone: null }
  if (phone !== null) return { place: { kind: 'phone_out', value: null }, meetingUrl: null, phone }
  const text = linesOf(location, 500)
  if (text === null) return { place: null, meetingUrl: null, phone: null }
  const app = /^integrations:(.+)$/.exec(text)?.[1]
  const kind = app && Object.entries(APPS).find(([name]) => app.replaceAll('_', '-').startsWith(name))?.[1]
  if (app) return { place: kind ? { kind, value: null } : null, meetingUrl: null, phone: null }
  return { place: { kind: 'in_person', value: text }, meetingUrl: null, phone: null }
}

export function describeLocation({ type, integration }: Location) {
  return {
    name: integration ?? type ?? 'unknown',
    isOfInvitee: type === 'attendeeAddress' || type === 'attendeeDefined',
  }
}
