import { zoneTable } from '../../core/local-time.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/time-units.ts'
import { zoneOfEitherName } from './windows-zones.ts'

/** What a name such as `(UTC+01:00) Amsterdam, Berlin, Bern` says: the offset without summer time, in milliseconds, and places. */
type DisplayName = { readonly offset: number; readonly places: readonly string[] }

const DISPLAY_NAME = /^\(?(?:UTC|GMT) ?(?:([+−-])(\d{1,2})[:.]?(\d{2})?)?\)?(?: (?![+−-])(.+))?$/i
/** Where the IANA database has places; the last two have states and provinces by their names. */
const AREAS = [
  'Europe',
  'America',
  'Asia',
  'Africa',
  'Australia',
  'Pacific',
  'Atlantic',
  'Indian',
  'US',
  'Canada',
]
const MOST_PLACES = 8
/** What Windows shows where there is no place: `(UTC+12:00) Coordinated Universal Time+12`. */
const NO_PLACE = /^Coordinated Universal Time([+-]\d+)?$/i

/** Reads how Windows shows a zone, in any language, or an offset alone (`GMT+0100`); null for any other name. */
export function readDisplayName(name: string): DisplayName | null {
  // A pattern that takes any number of blanks in several places takes forever to refuse them.
  const match = DISPLAY_NAME.exec(name.trim().replace(/\s+/g, ' '))
  if (match === null) return null
  const [, sign, hours, minutes, places = ''] = match
  const size = Number(hours ?? 0) * HOUR_MS + Number(minutes ?? 0) * MINUTE_MS
  return {
    offset: sign === undefined || sign === '+' ? size : -size,
    places: places
      .split(/[,()]/)
      .map((place) => place.trim())
      .filter((place) => place !== '' && !NO_PLACE.test(place))
      .slice(0, MOST_PLACES),
  }
}

/**
 * The IANA zone of one of the places whose offset in the year before `at` is nearest to the given one; null if all differ by more
 * than an hour. Countries change their offset, and old programs keep sending the old one.
 */
export function zoneOfPlaces({ offset, places }: DisplayName, at: number): string | null {
  const found = places
    .flatMap(zonesCalled)
    .map((zone) => ({ zone, distance: distanceOf(zone, offset, at) }))
    .filter(({ distance }) => distance <= HOUR_MS)
    .sort((a, b) => a.distance - b.distance)
  return found[0]?.zone ?? null
}

/** `Eastern Time` is the `Eastern Standard Time` of Windows. */
function zonesCalled(place: string): string[] {
  const name = place.replace(/ Time$/i, '')
  const city = name.replace(/ Islands?$/i, '').replaceAll(' ', '_')
  return [`${name} Standard Time`, ...AREAS.map((area) => `${area}/${city}`)]
    .map(zoneOfEitherName)
    .filter((zone) => zone !== null)
}

function distanceOf(zone: string, offset: number, at: number): number {
  const { offsets } = zoneTable(zone, at - 365 * DAY_MS, at)
  return Math.min(...offsets.map((each) => Math.abs(each - offset)))
}
