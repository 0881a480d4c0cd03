import { looseId } from '../../platform/db/ids.ts'
import { nameOfLanguage } from '../../platform/i18n/locale.ts'
import { LANGUAGES } from '../../platform/i18n/tags.ts'
import { type AskedQuestion, answerField } from '../answers-in.ts'
import type { OwnDetails } from '../own-details.ts'
import type { Page } from '../page.ts'
import { CompanyField } from './company-field.tsx'
import type { Trouble } from './details-form.tsx'
import { Field } from './field.tsx'
import { HiddenFields } from './hidden-fields.tsx'
import { Problems } from './problems.tsx'
import { QuestionFields } from './question-fields.tsx'
import { TextConsent } from './text-consent.tsx'
import { ZoneOptions } from './zone-form.tsx'

type Props = {
  readonly page: Page
  readonly id: string
  readonly token: string
  readonly typed: OwnDetails
  readonly trouble: Trouble
  readonly questions: readonly AskedQuestion[]
  readonly most: number
  readonly offersTexts: boolean
}

/** The invitee's own details, as they are. */
export function ChangeForm({ page, id, token, typed, trouble, questions, most, offersTexts }: Props) {
  const { texts } = page.locale
  const { title, fields = {} } = trouble
  const labels = Object.fromEntries(questions.map(({ key, label }) => [answerField(key), label]))
  return (
    <>
      <h1>{texts.changeDetails}</h1>
      <Problems page={page} {...(title && { title })} fields={fields} labels={labels} />
      <form method="post" action={`/bookings/${id}/change`} novalidate data-once={texts.sending}>
        <HiddenFields
          fields={[
            ['token', token],
            ['key', looseId()],
          ]}
        />
        <Field
          page={page}
          name="name"
          label={texts.name}
          value={typed.name}
          error={fields.name}
          autocomplete="name"
          isRequired
        />
        <Field
          page={page}
          name="phone"
          label={texts.phone}
          value={typed.phone}
          error={fields.phone}
          autocomplete="tel"
          inputmode="tel"
          isLatin
        />
        {offersTexts && <TextConsent page={page} isChecked={typed.byText} />}
        <div class="field">
          <label for="timezone">{texts.timeZone}</label>
          <select id="timezone" name="timezone">
            <ZoneOptions zone={typed.timezone} />
          </select>
        </div>
        <div class="field">
          <label for="language">{texts.language}</label>
          <select id="language" name="language">
            <LanguageOptions chosen={typed.language} />
          </select>
        </div>
        <QuestionFields page={page} questions={questions} typed={typed.answers} errors={fields} />
        <CompanyField page={page} value={typed.company} error={fields.company} most={most} />
        <Field
          page={page}
          name="notes"
          label={texts.notes}
          value={typed.notes}
          error={fields.notes}
          rows={3}
        />
        <button type="submit" class="button">
          {texts.save}
        </button>
      </form>
    </>
  )
}

/** The languages of the service, and the one that is set if it has a region. */
function LanguageOptions({ chosen }: { readonly chosen: string }) {
  const isListed = LANGUAGES.some((language) => language === chosen)
  return (
    <>
      {!isListed && (
        <option value={chosen} selected>
          {chosen}
        </option>
      )}
      {LANGUAGES.map((language) => (
        <option key={language} value={language} selected={language === chosen} lang={language}>
          {nameOfLanguage(language)}
        </option>
      ))}
    </>
  )
}
