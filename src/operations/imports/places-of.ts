import type { Place } from '../../platform/db/schema/event-types.ts'
import type { LeftOut } from '../../platform/db/schema/import-jobs.ts'
import type { Why } from '../../platform/reasons/left-out.ts'
import { leftOut } from './whys.ts'

export type NewPlace = Pick<Place, 'kind' | 'value'> & { readonly label?: string | null }

const MOST_PLACES = 10

/** The places of an event type's locations, and the locations that are like nothing here. */
export function placesOf<Location>(
  title: string,
  locations: readonly Location[],
  placeOf: (location: Location) => NewPlace | null,
  describe: (location: Location) => { readonly name: string; readonly isOfInvitee: boolean },
): { readonly places: readonly NewPlace[]; readonly leftOut: readonly LeftOut[] } {
  const lost: LeftOut[] = []
  const found = locations.flatMap((location) => {
    const place = placeOf(location)
    if (place !== null) return { place, location }
    lose(location, describe(location).isOfInvitee ? 'place_of_invitee' : 'place')
    return []
  })
  for (const { location } of found.slice(MOST_PLACES)) lose(location, 'further_places')
  return { places: found.slice(0, MOST_PLACES).map(({ place }) => place), leftOut: lost }

  function lose(location: Location, why: Why) {
    lost.push(leftOut({ part: 'place', of: title, detail: describe(location).name }, why))
  }
}
