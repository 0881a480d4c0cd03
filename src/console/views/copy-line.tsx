import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { shellTexts } from '../../platform/i18n/console/shell.ts'
import type { Locale } from '../../platform/i18n/locale.ts'
import { Sign } from './icons.tsx'

type Props = { readonly locale: Locale; readonly text: string }

/** Something to take along. The button needs the script, and is not there without it. */
export function CopyLine({ locale, text }: Props) {
  const texts = textsOf(locale, shellTexts)
  return (
    <div class="copy-line">
      <code>{text}</code>
      <button type="button" class="soft-button" data-copy={text} data-copied={texts.copied} hidden>
        <Sign name="copy" />
        {texts.copy}
      </button>
    </div>
  )
}
