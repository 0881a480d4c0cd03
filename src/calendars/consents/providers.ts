import type { ProviderConsent } from '../../platform/http/oauth-return.ts'
import { calendarConsent } from '../calendar-consent.ts'
import { zoomConsent } from '../meetings/zoom-consent.ts'

export type ConsentProvider = 'calendar_a' | 'calendar_b' | 'video_a'

export const CONSENTS: Readonly<Record<ConsentProvider, ProviderConsent<unknown>>> = {
  calendar_a: calendarConsent('calendar_a'),
  calendar_b: calendarConsent('calendar_b'),
  video_a: zoomConsent,
}
