import type { Area } from './screen.ts'

/** Every screen of the console. Those in the navigation are in `nav-items.ts`. */
export const AREAS: readonly Area[] = [
  { at: ['/console'], open: async () => (await import('./organization/screens.ts')).organizationScreens },
  {
    at: ['/console/sign-in', '/console/link', '/console/sign-out', '/console/confirm'],
    open: async () => (await import('./sign-in/screens.ts')).signInScreens,
  },
  {
    at: ['/console/sign-in/passkey', '/console/confirm/passkey', '/console/settings/passkeys'],
    open: async () => (await import('./passkeys/screens.ts')).passkeyScreens,
  },
  {
    at: ['/console/sign-in/openid', '/console/confirm/openid', '/console/settings/openid'],
    open: async () => (await import('./openid/screens.ts')).openIdScreens,
  },
  {
    at: ['/console/overview'],
    open: async () => (await import('./overview/screens.ts')).overviewScreens,
  },
  {
    at: ['/console/bookings'],
    open: async () => (await import('./bookings/screens.ts')).bookingScreens,
  },
  {
    at: ['/console/calendar'],
    open: async () => (await import('./calendar/screens.ts')).calendarViewScreens,
  },
  {
    at: ['/console/event-types'],
    open: async () => (await import('./event-types/screens.ts')).eventTypeScreens,
  },
  { at: ['/console/hours'], open: async () => (await import('./hours/screens.ts')).hoursScreens },
  {
    at: ['/console/clients'],
    open: async () => (await import('./clients/screens.ts')).clientScreens,
  },
  { at: ['/console/rooms'], open: async () => (await import('./rooms/screens.ts')).roomScreens },
  {
    at: ['/console/calendars'],
    open: async () => (await import('./calendars/screens.ts')).calendarScreens,
  },
  {
    at: ['/console/payments'],
    open: async () => (await import('./payments/screens.ts')).paymentScreens,
  },
  {
    at: ['/console/start'],
    open: async () => (await import('./start/screens.ts')).startScreens,
  },
  { at: ['/console/page'], open: async () => (await import('./page/screens.ts')).pageScreens },
  { at: ['/console/team'], open: async () => (await import('./team/screens.ts')).teamScreens },
  {
    at: ['/console/developers'],
    open: async () => (await import('./developers/screens.ts')).developerScreens,
  },
  {
    at: ['/console/settings/import'],
    open: async () => (await import('./imports/screens.ts')).importScreens,
  },
  {
    at: ['/console/settings'],
    open: async () => (await import('./settings/screens.ts')).settingsScreens,
  },
]
