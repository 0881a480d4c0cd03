import type { PageEventType } from '../../booking/listing/schema.ts'
import type { Page } from '../page.ts'
import { placeName } from '../place-name.ts'
import type { Filled } from '../read-form.ts'
import { ErrorText, Field } from './field.tsx'
import { TextConsent } from './text-consent.tsx'

type Props = {
  readonly page: Page
  readonly places: PageEventType['places']
  /** Whether text messages are offered, for which a number is asked, too. */
  readonly offersTexts: boolean
  readonly filled: Pick<Filled, 'place' | 'phone' | 'byText'>
  readonly errors: Readonly<Record<string, string>>
}

/** Where to meet, if there is a choice, and the number to call. Without script the number can be left empty. */
export function PlaceFields({ page, places, offersTexts, filled, errors }: Props) {
  const { texts } = page.locale
  const isCalled = places.some(({ kind }) => kind === 'phone_out')
  return (
    <>
      {places.length > 1 && (
        <fieldset class={errors.place_id ? 'alternatives places wrong' : 'alternatives places'}>
          <legend>{texts.choosePlace}</legend>
          <ErrorText page={page} name="place_id" error={errors.place_id} />
          {places.map((place, at) => (
            <label key={place.id}>
              <input
                type="radio"
                id={at === 0 ? 'place_id' : undefined}
                name="place_id"
                value={place.id}
                defaultChecked={place.id === filled.place}
                data-asks-phone={place.kind === 'phone_out' ? '' : undefined}
                aria-invalid={errors.place_id ? 'true' : undefined}
              />
              <span>
                <bdi>{placeName(texts, place)}</bdi>
                {place.kind === 'in_person' && place.label && place.value && (
                  <span class="soft pre">
                    <br />
                    <bdi>{place.value}</bdi>
                  </span>
                )}
              </span>
            </label>
          ))}
        </fieldset>
      )}
      {(isCalled || offersTexts) && (
        <div class={places.length > 1 && !offersTexts ? 'phone-to-call' : undefined}>
          <Field
            page={page}
            name="phone"
            label={texts.phone}
            value={filled.phone}
            error={errors.phone}
            hint={texts.phoneHint}
            autocomplete="tel"
            inputmode="tel"
            isLatin
            isRequired={isCalled && !offersTexts}
          />
        </div>
      )}
      {offersTexts && <TextConsent page={page} isChecked={filled.byText} />}
    </>
  )
}
