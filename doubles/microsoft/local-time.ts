import { instantAt, wallAt } from '../wall-clock.ts'
import type { Moment } from './state.ts'
import { ianaOf } from './windows-zones.ts'

const zoneOf = (zone: string): string => ianaOf(zone) ?? 'Etc/UTC'

/** The wall clock of a zone, as milliseconds as if it were UTC's. */
export const wallMs = (ms: number, zone: string): number => wallAt(zoneOf(zone), ms)

/** The instant at which a zone's wall clock shows this; of a wall time that happens twice the first. */
export const instantOf = (wall: number, zone: string): number => instantAt(zoneOf(zone), wall)

/** With seven digits behind the second and no offset, as Outlook writes times that have a zone beside them. */
export const wallText = (wall: number): string => `${new Date(wall).toISOString().slice(0, 23)}0000`

/** With seven digits behind the second and `Z`. */
export const utcText = (ms: number): string => `${wallText(ms)}Z`

export const dateText = (wall: number): string => new Date(wall).toISOString().slice(0, 10)

const WALL = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(\.\d{1,7})?)?)?(Z|[+-]\d{2}:?\d{2})?$/

/** A date and time of a client, in its own offset or in the zone; `null` if it is invalid. */
export function readTime(text: string, zone: string): number | null {
  const parts = WALL.exec(text)
  if (!parts) return null
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '0', offset] = parts
  const wall =
    Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second)) +
    Math.floor(Number(fraction) * 1000)
  if (Number.isNaN(wall) || dateText(wall) !== `${year}-${month}-${day}`) return null
  if (!offset) return instantOf(wall, zone)
  if (offset === 'Z') return wall
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2))
  return wall - (offset.startsWith('-') ? -1 : 1) * minutes * 60_000
}

/**
 * All-day events are shown from midnight to midnight in every zone, though stored as midnights of the zone they were made in.
 * microsoftgraph/microsoft-graph-docs#1802, #6003, #16798
 */
export function tellMoment({ ms, zone }: Moment, isAllDay: boolean, wanted: string): object {
  return { dateTime: wallText(wallMs(ms, isAllDay ? zone : wanted)), timeZone: wanted }
}
