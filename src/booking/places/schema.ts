import * as z from 'zod'
import { PLACE_KINDS } from '../../platform/db/schema/event-types.ts'
import { Lines, OneLine } from '../../platform/http/fields.ts'
import { problem } from '../../platform/reasons/reason.ts'
import { refuseValue } from './place-kinds.ts'

export const MOST_PLACES = 10
const LONGEST_ADDRESS = 2000

const PlaceKind = z.enum(PLACE_KINDS).meta({
  id: 'PlaceKind',
  description:
    'A call of Zoom (`video_a`), Google Meet or Microsoft Teams; `custom` at the address in `value`; `in_person` at `value`; `phone_out`: the host calls the invitee; `phone_in`: the invitee calls `value`.',
})

const OwnPlaceId = z.string().regex(/^[a-z0-9_-]{1,40}$/, problem('not_a_place_id'))

const PlaceInput = z
  .object({
    id: OwnPlaceId.optional().describe('Its name in `place_id`. Default: made from its kind.'),
    kind: PlaceKind,
    label: OneLine(100).nullable().default(null).describe('What invitees choose by.'),
    value: Lines(LONGEST_ADDRESS)
      .nullable()
      .default(null)
      .describe(
        'The https address of `custom`, the number of `phone_in` (at most 100 characters), the address of `in_person` (at most 500); null for other kinds.',
      ),
  })
  .superRefine((place, context) => {
    const message = refuseValue(place)
    if (message) context.addIssue({ code: 'custom', path: ['value'], message, input: place.value })
  })

/** The places in the input of an event type. */
export const PlacesInput = z
  .array(PlaceInput)
  .max(MOST_PLACES)
  .superRefine((places, context) => {
    const ids = places.map(({ id }) => id)
    for (const [at, id] of ids.entries()) {
      if (id === undefined || ids.indexOf(id) === at) continue
      context.addIssue({ code: 'custom', path: [at, 'id'], message: problem('place_twice'), input: id })
    }
  })
export type PlacesInput = z.output<typeof PlacesInput>

export const Place = z
  .object({
    id: z.string().describe('Its name in `place_id`.'),
    kind: PlaceKind,
    label: z.string().nullable(),
    value: z
      .string()
      .nullable()
      .describe(
        'The address or the number. Event types show those of `custom` and `phone_in` with a key only.',
      ),
  })
  .meta({
    id: 'Place',
    description: 'A place to meet.',
    example: {
      id: 'in_person',
      kind: 'in_person',
      label: 'At our office',
      value: '12 Analytical Row, London',
    },
  })

/** The place that a booking is asked for. */
export const PlaceId = z
  .string()
  .max(40)
  .nullable()
  .optional()
  .meta({ example: 'in_person' })
  .describe(
    "The id of one of the event type's `places`; required if it has two or more. Ignored if it has none.",
  )
