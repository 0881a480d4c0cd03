import { NEVER_OPEN, type OpenHours } from '../../../core/open-hours.ts'
import type { Person } from '../../../core/person.ts'
import type { Need, Needed, Unit } from '../../../core/units.ts'
import type { HeldUnit } from '../../../platform/db/schema/bookings.ts'
import type { Calendar } from '../calendar.ts'
import { closedBy } from '../calendar-times.ts'
import type { EventTypeRow, Room, Schedule } from '../schedule.ts'

/** Where the number of a unit begins in what is held of it. */
const MARK = '#'

/** What is held of a room or a piece of equipment: one of its units. */
export function unitIdOf(roomId: string, unit: number): string {
  return `${roomId}${MARK}${unit}`
}

export function isUnitId(resourceId: string): boolean {
  return resourceId.includes(MARK)
}

export function needsOf({ requires }: Pick<EventTypeRow, 'requires'>): Need[] {
  return requires.map(({ resource_ids, count }) => ({ of: resource_ids, count }))
}

/** The units that a new meeting takes; undefined if it needs none. */
export function neededOf(schedule: Schedule): Needed | undefined {
  const { eventType, rooms } = schedule
  if (eventType.requires.length === 0) return undefined
  return {
    needs: needsOf(eventType),
    things: rooms.map((room) => ({ id: room.id, units: unitsOf(schedule, room) })),
  }
}

function unitsOf(schedule: Schedule, room: Room): Person[] {
  const hours = hoursOf(room)
  const busy = [...room.feeds.flatMap((feed) => feed.busy), ...closedBy(schedule, room.feeds)]
  return Array.from({ length: room.quantity }, (_, at) => ({
    hours,
    closed: room.timeOff,
    busy: [...(schedule.holds.get(unitIdOf(room.id, at + 1)) ?? []), ...busy],
    full: [],
  }))
}

/** An inactive one is closed. */
export function hoursOf({ active, hours }: Pick<Room, 'active' | 'hours'>): OpenHours | null {
  return active ? hours : NEVER_OPEN
}

/** The chosen units with their names, as bookings return them. */
export function withNames({ rooms }: Schedule, units: readonly Unit[]): HeldUnit[] {
  const names = new Map(rooms.map(({ id, name }) => [id, name]))
  return units.map(({ of, unit }) => ({ id: of, name: names.get(of)!, unit }))
}

/** The units that a holder has, as they were chosen. */
export function asUnits(held: readonly HeldUnit[] | null): Unit[] {
  return (held ?? []).map(({ id, unit }) => ({ of: id, unit }))
}

/** Rows have null instead of an empty list. */
export function unitsOrNull(units: readonly HeldUnit[]): readonly HeldUnit[] | null {
  return units.length === 0 ? null : units
}

export type RoomFacts = Omit<Room, 'hours' | 'timeOff' | 'feeds'>

export function roomFrom(
  facts: RoomFacts,
  timeOff: Room['timeOff'],
  hours: ReadonlyMap<string, OpenHours>,
  feeds: readonly Calendar[],
): Room {
  const { scheduleId } = facts
  return {
    ...facts,
    hours: scheduleId === null ? null : (hours.get(scheduleId) ?? NEVER_OPEN),
    timeOff,
    feeds,
  }
}
