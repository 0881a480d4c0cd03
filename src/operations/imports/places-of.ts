import type { Place } from '../../platform/db/schema/event-types.ts'
import type { LeftOut } from '../../platform/db/schema/import-jobs.ts'
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
  const places = locations.slice(0, MOST_PLACES).flatMap((location) => {
    const place = placeOf(location)
    if (place !== null) return place
    const { name, isOfInvitee } = describe(location)
    lost.push(leftOut({ part: 'place', of: title, detail: name }, isOfInvitee ? 'place_of_invitee' : 'place'))
    return []
  })
  return { places, leftOut: lost }
}
