import type { Place } from '../../platform/db/schema/event-types.ts'
import { invalid, type Refusal } from '../../platform/http/errors.ts'
import { problem } from '../../platform/reasons/reason.ts'
import type { PlacesInput } from './schema.ts'

type Offering = { readonly places: readonly Place[] }
type Asked = {
  readonly place_id?: string | null | undefined
  readonly invitee_phone?: string | null | undefined
}

/** The place that is asked for, or the only one; null without places. */
export function placeOf({ places }: Offering, { place_id: id }: Pick<Asked, 'place_id'>): Place | null {
  if (id == null) return places.length === 1 ? places[0]! : null
  return places.find((place) => place.id === id) ?? null
}

/** Why there is no such place, or why the host could not call the invitee. */
export function refusePlace(offering: Offering, asked: Asked): Refusal | null {
  const { places } = offering
  if (places.length === 0) return null
  const place = placeOf(offering, asked)
  if (place) return refusePhone(place, asked.invitee_phone)
  const values = places.map(({ id }) => id)
  return invalid({
    place_id: asked.place_id == null ? problem('required') : problem('not_one_of', { values }),
  }).refusal
}

/** Why the host could not call the invitee. */
export function refusePhone(place: Place | null, phone: string | null | undefined): Refusal | null {
  if (place?.kind !== 'phone_out' || phone) return null
  return invalid({ invitee_phone: problem('required') }).refusal
}

/** Those without an id get one of their kind: `in_person`, then `in_person-2`. */
export function withIds(places: PlacesInput): readonly Place[] {
  const taken = new Set(places.flatMap(({ id }) => id ?? []))
  return places.map(({ id, kind, label, value }) => ({
    id: id ?? newPlaceId(kind, taken),
    kind,
    label,
    value,
  }))
}

function newPlaceId(kind: Place['kind'], taken: Set<string>): string {
  let id: string = kind
  for (let n = 2; taken.has(id); n++) id = `${kind}-${n}`
  taken.add(id)
  return id
}

/** The columns of a booking that follow from its place; null leaves them to the event type. */
export function locationOf(place: Place): string | null {
  return place.kind === 'in_person' ? place.value : null
}
