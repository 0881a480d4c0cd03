import type { Page } from '../page.ts'

type Props = {
  readonly page: Page
  /** How many weeks can be booked at once. */
  readonly most: number
  readonly value: string
}

/** For how many weeks in a row the time is booked; nothing if it can only be booked once. */
export function RepeatField({ page, most, value }: Props) {
  if (most < 2) return null
  const { texts } = page.locale
  const counts = Array.from({ length: most - 1 }, (_, at) => String(at + 2))
  return (
    <p class="field">
      <label for="repeat">{texts.repeatWeekly}</label>
      <select id="repeat" name="repeat">
        <option value="">{texts.onlyOnce}</option>
        {counts.map((count) => (
          <option key={count} value={count} selected={count === value}>
            {count} ×
          </option>
        ))}
      </select>
    </p>
  )
}
