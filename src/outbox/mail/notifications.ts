import type { Notifications } from '../../platform/db/schema/organizations.ts'

/** What members are told of by letter who chose nothing. */
const DEFAULTS: Notifications = {
  new: true,
  moved: true,
  cancelled: true,
  requested: true,
  daily_agenda: false,
}

/** What a member is told of. */
export function notificationsOf(chosen: Partial<Notifications> | null): Notifications {
  return { ...DEFAULTS, ...chosen }
}
