import type { Page } from '../../pages/page.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { passkeyTexts } from '../../platform/i18n/console/passkeys.ts'

type Props = {
  readonly page: Page
  /** Where the browser asks what it should do. */
  readonly from: `/console${string}`
  readonly does: 'create' | 'get'
  readonly text: string
  readonly class: string
  readonly name?: string
  readonly value?: string
}

/** A button whose form is sent with what the browser's passkey said, in `passkey`. Browsers that know none do not show it. */
export function PasskeyButton({ page, from, does, text, ...button }: Props) {
  const { failed } = textsOf(page.locale, passkeyTexts)
  return (
    <>
      <input type="hidden" name="passkey" value="" />
      <button type="submit" data-passkey={does} data-from={from} data-failed={failed} hidden {...button}>
        {text}
      </button>
    </>
  )
}
