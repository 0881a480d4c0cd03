import type { ComponentChildren } from 'preact'
import type { HostChoice } from '../host-choice.ts'
import { monthData } from '../month-data.ts'
import type { OpenTimes } from '../open-times.ts'
import type { Page } from '../page.ts'
import { Calendar } from './calendar.tsx'
import { ClockChoice } from './clock-choice.tsx'
import { Durations } from './durations.tsx'
import { HostLinks } from './host-choice.tsx'
import { Times } from './times.tsx'
import { ZoneForm } from './zone-form.tsx'

type Props = {
  readonly page: Page
  readonly times: OpenTimes
  readonly choice: HostChoice | null
  readonly options: readonly number[]
  readonly duration: number
  readonly children?: ComponentChildren
}

/** Day and time, side by side. The script shows the other days of the month from what is beside them. */
export function Chooser({ page, times, choice, options, duration, children }: Props) {
  return (
    <div class="pane chooser">
      {children}
      <HostLinks page={page} choice={choice} />
      <Durations page={page} options={options} chosen={duration} />
      <div class={times.selected === null ? 'picker' : 'picker chosen'} {...monthData(page, times)}>
        <Calendar page={page} times={times} />
        <Times page={page} times={times} />
      </div>
      <div class="settings">
        <ZoneForm page={page} zone={times.zone} at={times.selected ?? page.ctx.now} />
        <ClockChoice page={page} />
      </div>
    </div>
  )
}
