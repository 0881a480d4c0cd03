import { fill } from '../../platform/i18n/plural.ts'
import type { Page } from '../page.ts'
import { Field } from './field.tsx'

type Props = {
  readonly page: Page
  readonly value: string
  readonly error: string | undefined
  readonly most: number
}

/** Those who come along without a seat; folded away until somebody wants it. */
export function CompanyField({ page, value, error, most }: Props) {
  if (most === 0) return null
  const { texts } = page.locale
  return (
    <details class="more" open={value !== '' || error !== undefined}>
      <summary>{texts.addCompany}</summary>
      <Field
        page={page}
        name="company"
        label={texts.company}
        value={value}
        error={error}
        hint={fill(texts.companyHint, { n: String(most) })}
        rows={2}
      />
    </details>
  )
}
