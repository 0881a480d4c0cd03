import { clockOf } from '../../platform/i18n/format.ts'
import { linkTo } from '../links.ts'
import type { Page } from '../page.ts'

/** Whether times are shown by the 12 or the 24 hour clock. */
export function ClockChoice({ page }: { readonly page: Page }) {
  const { locale, url } = page
  const { texts } = locale
  const chosen = clockOf(locale)
  return (
    <nav class="choices small" aria-label={texts.clock}>
      {(['12', '24'] as const).map((clock) => (
        <a
          key={clock}
          data-swap
          data-key={`clock-${clock}`}
          rel="nofollow"
          href={linkTo(url, { clock, time: null })}
          aria-current={clock === chosen ? 'true' : undefined}
        >
          <span aria-hidden="true" dir="ltr">
            {clock} h
          </span>
          <span class="unseen">{clock === '12' ? texts.hours12 : texts.hours24}</span>
        </a>
      ))}
    </nav>
  )
}
