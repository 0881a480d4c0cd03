import { HOUR_MS } from '../../../core/time-units.ts'
import { type Group, mondayOf } from './group-counts.ts'
import type { GroupBy, ReportGroup } from './schema.ts'

const STATUSES: Readonly<Record<string, string>> = {
  confirmed: 'Confirmed',
  rescheduled: 'Rescheduled',
  pending_approval: 'Awaiting approval',
  pending_payment: 'Awaiting payment',
  cancelled: 'Cancelled',
}
const IN_ORDER = Object.keys(STATUSES)

const textOf = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options })
  return (wall: number) => format.format(wall)
}
const dateText = textOf({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' })
const monthText = textOf({ month: 'long', year: 'numeric' })
const hourText = textOf({ weekday: 'short', hour: '2-digit', minute: '2-digit' })

type Labels = ReadonlyMap<string, string>

const LABELS: Readonly<Record<GroupBy, (group: Group, labels: Labels) => string>> = {
  day: ({ wall }) => dateText(wall),
  week: ({ wall }) => `Week of ${dateText(mondayOf(wall))}`,
  month: ({ wall }) => monthText(wall),
  hour_of_week: ({ wall }) => hourText(Math.floor(wall / HOUR_MS) * HOUR_MS),
  event_type: ({ key }, labels) => labels.get(String(key)) ?? String(key),
  member: ({ key }, labels) => (key === null ? 'No host' : (labels.get(String(key)) ?? String(key))),
  status: ({ key }) => STATUSES[String(key)]!,
}

type Order = (a: ReportGroup, b: ReportGroup) => number
const byKey: Order = (a, b) => (a.key! < b.key! ? -1 : 1)
const byBookings: Order = (a, b) => b.bookings - a.bookings || (a.label < b.label ? -1 : 1)

const ORDERS: Readonly<Record<GroupBy, Order>> = {
  day: byKey,
  week: byKey,
  month: byKey,
  hour_of_week: byKey,
  event_type: byBookings,
  member: byBookings,
  status: (a, b) => IN_ORDER.indexOf(String(a.key)) - IN_ORDER.indexOf(String(b.key)),
}

export function presentGroups(
  groups: readonly Group[],
  { groupBy, labels, hasRevenue }: { groupBy: GroupBy; labels: Labels; hasRevenue: boolean },
): ReportGroup[] {
  return groups
    .map(({ key, wall, revenue, ...counts }) => ({
      key,
      label: LABELS[groupBy]({ key, wall, revenue, ...counts }, labels),
      ...counts,
      ...(hasRevenue && { revenue }),
    }))
    .sort(ORDERS[groupBy])
}
