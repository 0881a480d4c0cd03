import type { ComponentChildren } from 'preact'
import type { OpenTimes } from '../open-times.ts'
import type { Page } from '../page.ts'
import { Calendar } from './calendar.tsx'
import { Durations } from './durations.tsx'
import { Times } from './times.tsx'
import { ZoneForm } from './zone-form.tsx'

type Props = {
  readonly page: Page
  readonly times: OpenTimes
  readonly options: readonly number[]
  readonly duration: number
  readonly children?: ComponentChildren
}

/** Day and time, side by side. */
export function Chooser({ page, times, options, duration, children }: Props) {
  return (
    <div class="pane chooser">
      {children}
      <Durations page={page} options={options} chosen={duration} />
      <div class={times.selected === null ? 'picker' : 'picker chosen'}>
        <Calendar page={page} times={times} />
        <Times page={page} times={times} />
      </div>
      <ZoneForm page={page} zone={times.zone} />
    </div>
  )
}
