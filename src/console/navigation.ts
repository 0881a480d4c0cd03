import type { IconName } from '../pages/views/icon.tsx'
import type { Permission } from '../platform/auth/policy.ts'
import type { shellTexts } from '../platform/i18n/console/shell.ts'
import type { ConsoleIconName } from './views/icons.tsx'

type NavItem = {
  readonly to: `/console${string}`
  readonly name: keyof (typeof shellTexts)['en']
  readonly icon: IconName | ConsoleIconName
  /** The permission that shows it; every member has `read`. */
  readonly needs: Exclude<Permission, 'anyone' | 'service-only'>
}

/** The navigation, from top to bottom. */
export const NAVIGATION: readonly NavItem[] = [
  { to: '/console/overview', name: 'overview', icon: 'pulse', needs: 'read' },
  { to: '/console/start', name: 'start', icon: 'home', needs: 'read' },
  { to: '/console/calendar', name: 'calendar', icon: 'calendar', needs: 'read' },
  { to: '/console/bookings', name: 'bookings', icon: 'check', needs: 'read' },
  { to: '/console/clients', name: 'clients', icon: 'person', needs: 'read' },
  { to: '/console/event-types', name: 'eventTypes', icon: 'list', needs: 'read' },
  { to: '/console/hours', name: 'hours', icon: 'clock', needs: 'read' },
  { to: '/console/rooms', name: 'rooms', icon: 'door', needs: 'read' },
  { to: '/console/calendars', name: 'calendars', icon: 'video', needs: 'read' },
  { to: '/console/team', name: 'team', icon: 'seats', needs: 'read' },
  { to: '/console/page', name: 'page', icon: 'globe', needs: 'read' },
  { to: '/console/payments', name: 'payments', icon: 'price', needs: 'read' },
  { to: '/console/developers', name: 'developers', icon: 'code', needs: 'read' },
  { to: '/console/settings', name: 'settings', icon: 'gear', needs: 'read' },
]
