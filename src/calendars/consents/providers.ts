import type { ProviderConsent } from '../../platform/http/oauth-return.ts'
import { calendarConsent } from '../calendar-consent.ts'
import { zoomConsent } from '../meetings/zoom-consent.ts'
import type { OAuthProvider } from '../oauth/oauth-config.ts'

export const CONSENTS: Readonly<Record<OAuthProvider, ProviderConsent<unknown>>> = {
  calendar_a: calendarConsent('calendar_a'),
  calendar_b: calendarConsent('calendar_b'),
  video_a: zoomConsent,
}
