import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { shellTexts } from '../../platform/i18n/console/shell.ts'
import type { MemberRequest } from '../request.ts'

type Props = {
  readonly request: Pick<MemberRequest, 'page'>
  /** What it does, where that is not to save. */
  readonly text?: string
  /** What cannot be undone, or what is not the first thing to do here. */
  readonly tone?: 'danger' | 'soft-button'
}

/** The button that sends a form. */
export function FormEnd({ request, text, tone }: Props) {
  return (
    <div class="form-end">
      <button type="submit" class={tone ? `button ${tone}` : 'button'}>
        {text ?? textsOf(request.page.locale, shellTexts).save}
      </button>
    </div>
  )
}
