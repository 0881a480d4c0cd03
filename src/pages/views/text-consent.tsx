import type { Page } from '../page.ts'

type Props = { readonly page: Page; readonly isChecked: boolean }

/** Whether the invitee wants text messages. */
export function TextConsent({ page, isChecked }: Props) {
  return (
    <div class="field">
      <label class="tick" for="by_text">
        <input type="checkbox" id="by_text" name="by_text" value="true" checked={isChecked} />
        <span>{page.locale.texts.textConsent}</span>
      </label>
    </div>
  )
}
