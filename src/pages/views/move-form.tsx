import type { InviteeBooking } from '../../booking/bookings/get-for-invitee.ts'
import { MINUTE_MS } from '../../core/time-units.ts'
import { looseId } from '../../platform/db/ids.ts'
import { formatInstant } from '../../platform/http/instants.ts'
import { fullDayText, spanText, zoneText } from '../../platform/i18n/format.ts'
import { clocksOf, spanOn } from '../booking-times.ts'
import type { HostChoice } from '../host-choice.ts'
import { linkTo } from '../links.ts'
import type { Page } from '../page.ts'
import { Alternatives } from './alternatives.tsx'
import type { Trouble } from './details-form.tsx'
import { Facts } from './facts.tsx'
import { HiddenFields } from './hidden-fields.tsx'
import { Hosts } from './hosts.tsx'
import { OtherClock } from './other-clock.tsx'
import { Problems } from './problems.tsx'

type Props = {
  readonly page: Page
  readonly found: InviteeBooking
  readonly token: string
  readonly choice: HostChoice | null
  /** In minutes. */
  readonly length: number
  readonly start: number | null
  readonly zone: string
  readonly trouble: Trouble
}

export function MoveForm({ page, found, token, choice, length: minutes, start, zone, trouble }: Props) {
  const { locale, url } = page
  const { texts } = locale
  const { booking } = found
  const length = minutes * MINUTE_MS
  // There is no field that something could stand at.
  const { title = Object.values(trouble.fields ?? {})[0], alternatives = [] } = trouble
  const chosen = choice?.chosen ?? null
  const path = `/bookings/${booking.id}/reschedule`
  return (
    <div class="pane form">
      <a class="back" data-swap href={linkTo(url, { time: null, token }, path)}>
        {texts.changeTime}
      </a>
      {start !== null && (
        <p class="chosen-time" id="chosen-time">
          <strong>{spanOn(page, start, start + length, zone)}</strong>
        </p>
      )}
      <h2
        tabIndex={-1}
        data-focus={title ? undefined : ''}
        aria-describedby={start === null ? undefined : 'chosen-time'}
      >
        {texts.confirmMove}
      </h2>
      <Problems page={page} {...(title && { title })} />
      {start === null && alternatives.length === 0 && (
        <a class="button" data-swap data-key="back" href={linkTo(url, { time: null, token }, path)}>
          {texts.chooseOther}
        </a>
      )}
      {start !== null && (
        <Facts
          facts={[
            {
              icon: 'calendar',
              label: texts.when,
              text: <strong>{fullDayText(locale, start, zone)}</strong>,
            },
            {
              icon: 'clock',
              label: texts.when,
              text: <WithOther page={page} found={found} zone={zone} start={start} end={start + length} />,
            },
            { icon: 'globe', label: texts.timeZone, text: zoneText(locale, start, zone) },
            chosen && {
              icon: 'person',
              label: locale.emails.with,
              text: <Hosts page={page} hosts={[chosen]} />,
            },
          ]}
        />
      )}
      <form
        method="post"
        action={linkTo(url, { token: null, time: null }, path)}
        novalidate
        data-once={texts.sending}
      >
        <HiddenFields
          fields={[
            ['token', token],
            ['key', looseId()],
            ['duration', String(minutes)],
            ...(chosen === null ? [] : [['member', chosen.id] as const]),
            ...(start === null ? [] : [['new_start_time', formatInstant(start)] as const]),
          ]}
        />
        {start === null && alternatives.length > 0 && (
          <Alternatives page={page} zone={zone} starts={alternatives} name="new_start_time" />
        )}
        {(start !== null || alternatives.length > 0) && (
          <button type="submit" class="button">
            {texts.confirmMove}
          </button>
        )}
      </form>
    </div>
  )
}

type SpanProps = Pick<Props, 'page' | 'found' | 'zone'> & { readonly start: number; readonly end: number }

function WithOther({ page, found, zone, start, end }: SpanProps) {
  const clocks = { ...clocksOf(page, found), zone }
  return (
    <>
      {spanText(page.locale, start, end, zone)}
      <OtherClock page={page} offer={clocks} slot={{ start, end }} />
    </>
  )
}
