import { isOffered } from '../../calendars/accounts/providers.ts'
import { conferencingRoutes } from '../../calendars/meetings/routes.ts'
import { calendarRoutes } from '../../calendars/routes.ts'
import type { CalendarConnection } from '../../calendars/schema.ts'
import type { Env } from '../../env.ts'
import { calendarsTexts } from '../../platform/i18n/console/calendars.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import type { MemberRequest } from '../request.ts'

/** CalDAV servers by their address in the console, with what the API calls them. */
export const SERVERS = {
  icloud: 'caldav_preset_a',
  fastmail: 'caldav_preset_b',
  yahoo: 'caldav_preset_d',
  nextcloud: 'caldav_preset_c',
  caldav: 'custom',
} as const
export type ServerName = keyof typeof SERVERS

/** Providers whose people are sent there: by their address in the console, with the endpoint that starts it. */
export const SENT_TO = {
  google: { route: calendarRoutes.connectGoogle, isOffered: (env: Env) => isOffered(env, 'calendar_a') },
  /** The same account again, with permission for calendars that are shared as free/busy only. */
  'google-free-busy': {
    route: calendarRoutes.connectGoogle,
    isOffered: (env: Env) => isOffered(env, 'calendar_a'),
  },
  microsoft: {
    route: calendarRoutes.connectMicrosoft,
    isOffered: (env: Env) => isOffered(env, 'calendar_b'),
  },
  zoom: { route: conferencingRoutes.connectZoom, isOffered: (env: Env) => isOffered(env, 'video_a') },
  meet: {
    route: conferencingRoutes.connectGoogleMeet,
    isOffered: (env: Env) => isOffered(env, 'calendar_a'),
  },
  teams: {
    route: conferencingRoutes.connectMicrosoftTeams,
    isOffered: (env: Env) => isOffered(env, 'calendar_b'),
  },
} as const
export type SentTo = keyof typeof SENT_TO

export function isSentTo(name: string): name is SentTo {
  return Object.hasOwn(SENT_TO, name)
}

export function isServerName(name: string): name is ServerName {
  return Object.hasOwn(SERVERS, name)
}

type Provided = Pick<CalendarConnection, 'provider' | 'provider_metadata'>

/** By which address in the console such an account is connected, and connected again. */
export function wayOf({ provider, provider_metadata: { preset } }: Provided) {
  if (provider === 'calendar_a') return 'google'
  if (provider === 'calendar_b') return 'microsoft'
  if (provider === 'ics') return 'feedIn'
  const known = Object.keys(SERVERS).find((name) => SERVERS[name as ServerName] === preset)
  return (known ?? 'caldav') as ServerName
}

export function providerName({ page }: Pick<MemberRequest, 'page'>, connection: Provided): string {
  return textsOf(page.locale, calendarsTexts)[wayOf(connection)]
}
