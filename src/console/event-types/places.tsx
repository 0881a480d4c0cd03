import type { EventType } from '../../booking/event-types/schema.ts'
import { MOST_PLACES } from '../../booking/places/schema.ts'
import { PLACE_KINDS } from '../../platform/db/schema/event-types.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { placeTexts } from '../../platform/i18n/console/places.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { orNull } from '../form.ts'
import type { Form } from '../request.ts'
import { fieldsFor } from '../views/fields-for.tsx'
import type { FieldsProps, Problems } from './tabs.ts'

type Place = EventType['places'][number]

const BLANK = { id: '', kind: '', label: null, value: null } as const

/** The rows of the form; one without a kind is removed. */
export function placesIn(form: Form): object[] {
  const places: object[] = []
  for (let at = 0; form.has(`place${at}_kind`); at++) {
    const kind = form.get(`place${at}_kind`)
    const [label, value] = [orNull(form, `place${at}_label`), orNull(form, `place${at}_value`)]
    const id = orNull(form, `place${at}_id`)
    if (kind) places.push({ ...(id && { id }), kind, label, value })
  }
  return places
}

/** What is wrong with any part of a place stands at the place. */
export function withPlaceProblems(fields: Problems): Problems {
  const told = Object.entries(fields)
  return Object.fromEntries(told.map(([name, text]) => [name.replace(/^(places\.\d+)\..+/, '$1'), text]))
}

/** Where invitees choose to meet. */
export function PlacesFields({ locale, value, trouble }: Omit<FieldsProps, 'request'>) {
  const texts = textsOf(locale, placeTexts)
  const field = fieldsFor<Readonly<Record<string, string>>>({ locale }, {})
  const kinds = [
    { value: '', text: texts.none },
    ...PLACE_KINDS.map((kind) => ({ value: kind, text: texts[kind] })),
  ]
  const errorOf = (at: number) => trouble.fields?.[`places.${at}`]
  const row = (place: Place | typeof BLANK, at: number) => (
    <fieldset class="panel" key={at} id={`places.${at}`}>
      <legend>{fill(texts.place, { n: at + 1 })}</legend>
      {errorOf(at) && <p class="error">{errorOf(at)}</p>}
      <input type="hidden" name={`place${at}_id`} value={place.id ?? ''} />
      <div class="pair">
        {field.select(`place${at}_kind`, texts.kind, kinds, { value: place.kind })}
        {field.text(`place${at}_label`, texts.label, { value: place.label ?? '', isOptional: true })}
      </div>
      {field.text(`place${at}_value`, texts.value, {
        value: place.value ?? '',
        hint: texts.valueHint,
        isOptional: true,
      })}
    </fieldset>
  )
  const { places } = value
  return (
    <>
      <p class="soft">{texts.lead}</p>
      {trouble.fields?.places && <p class="error">{trouble.fields.places}</p>}
      {places.map(row)}
      {places.length === 0 && row(BLANK, 0)}
      {places.length > 0 && places.length < MOST_PLACES && (
        <details class="folded">
          <summary>{texts.add}</summary>
          {row(BLANK, places.length)}
        </details>
      )}
    </>
  )
}
