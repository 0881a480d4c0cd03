import type { Notifications } from '../../platform/db/schema/organizations.ts'

/** The notifications of members who chose nothing. */
const DEFAULTS: Notifications = {
  new: true,
  moved: true,
  cancelled: true,
  requested: true,
  daily_agenda: false,
}

/** The notifications that a member gets. */
export function notificationsOf(chosen: Partial<Notifications> | null): Notifications {
  return { ...DEFAULTS, ...chosen }
}
