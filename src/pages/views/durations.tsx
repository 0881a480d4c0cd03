import { lengthText } from '../../platform/i18n/format.ts'
import { linkTo } from '../links.ts'
import type { Page } from '../page.ts'

type Props = { readonly page: Page; readonly options: readonly number[]; readonly chosen: number }

/** The length, where there is a choice. */
export function Durations({ page, options, chosen }: Props) {
  if (options.length < 2) return null
  const { locale, url } = page
  const isShort = options.some((minutes) => minutes >= 60)
  return (
    <nav class="choices" aria-label={locale.texts.duration}>
      {options.map((minutes) => (
        <a
          key={minutes}
          data-swap
          data-key={`duration-${minutes}`}
          rel="nofollow"
          href={linkTo(url, { duration: String(minutes), time: null })}
          aria-current={minutes === chosen ? 'true' : undefined}
        >
          {lengthText(locale, minutes, isShort)}
        </a>
      ))}
    </nav>
  )
}
