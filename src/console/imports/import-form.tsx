import { IMPORT_SOURCES, type ImportSource } from '../../platform/db/schema/import-jobs.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { importTexts } from '../../platform/i18n/console/imports.ts'
import type { MemberRequest } from '../request.ts'
import { NO_TROUBLE, type Trouble } from '../trouble.ts'
import { SelectField, TextField } from '../views/fields.tsx'
import { Form } from '../views/form.tsx'

export const HERE = '/console/settings/import'

export const SERVICES: Readonly<Record<ImportSource, string>> = { calendly: 'Calendly', calcom: 'Cal.com' }

type Props = {
  readonly request: MemberRequest
  readonly source: ImportSource
  readonly trouble?: Trouble
  /** What its button says. */
  readonly start?: string | undefined
}

/** Asks for the secret, which no page ever contains: it is typed again each time. */
export function ImportForm({ request, source, trouble = NO_TROUBLE, start }: Props) {
  const { locale } = request.page
  const texts = textsOf(locale, importTexts)
  return (
    <Form request={request} action={HERE} trouble={trouble} class="panel steps" once>
      <SelectField
        {...{ locale, trouble }}
        name="source"
        label={texts.service}
        value={source}
        options={IMPORT_SOURCES.map((value) => ({ value, text: SERVICES[value] }))}
      />
      <TextField
        {...{ locale, trouble }}
        name="secret"
        label={texts.secret}
        hint={texts.secretHint}
        type="password"
        value=""
        isSecret
      />
      <div class="form-end">
        <button type="submit" class="button" name="act" value="start">
          {start ?? texts.start}
        </button>
        <button type="submit" class="button soft-button" name="act" value="look">
          {texts.look}
        </button>
      </div>
    </Form>
  )
}
