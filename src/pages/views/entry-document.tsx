import type { getEntryForInvitee } from '../../booking/waitlist/get-for-invitee.ts'
import { MINUTE_MS } from '../../core/time-units.ts'
import { fullDayText, spanText, zoneText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { clocksOf } from '../booking-times.ts'
import type { Page } from '../page.ts'
import { mapLink } from '../place.ts'
import { placeName } from '../place-name.ts'
import { BookingDocument } from './booking-document.tsx'
import { type Fact, Facts } from './facts.tsx'
import { HiddenFields } from './hidden-fields.tsx'
import type { IconName } from './icon.tsx'
import { Notice } from './notice.tsx'
import { OtherClock } from './other-clock.tsx'
import { Place } from './place.tsx'
import { Who } from './who.tsx'

type Found = Awaited<ReturnType<typeof getEntryForInvitee>>
type Props = { readonly page: Page; readonly found: Found; readonly token: string }

/** A waitlist entry: what it waits for, its state, and the way to leave. */
export function EntryDocument({ page, found, token }: Props) {
  const { locale } = page
  const { texts } = locale
  const { entry, eventType, organization } = found
  const ending = endingOf(entry.status, texts)
  const clocks = clocksOf(page, {
    booking: { invitee_timezone: entry.inviteeTimezone, location: eventType.location, place: entry.place },
    eventType,
    row: entry,
  })
  const { zone } = clocks
  const start = entry.startTime === null ? null : Date.parse(entry.startTime)
  const end = (start ?? 0) + entry.durationMinutes * MINUTE_MS
  const own = `/waitlist/${entry.id}`
  return (
    <BookingDocument page={page} found={found} title={ending.title}>
      <Notice title={ending.title} icon={ending.icon} tone={ending.tone}>
        {ending.text && <p>{fill(ending.text, { email: entry.inviteeEmail })}</p>}
      </Notice>
      <Facts
        facts={[
          { icon: 'calendar', label: texts.what, text: <strong>{eventType.title}</strong> },
          {
            icon: 'clock',
            label: texts.when,
            text:
              start === null ? (
                texts.anyTime
              ) : (
                <>
                  <strong>{fullDayText(locale, start, zone)}</strong>
                  <br />
                  {spanText(locale, start, end, zone)}
                  <OtherClock page={page} offer={clocks} slot={{ start, end }} />
                </>
              ),
          },
          start === null
            ? null
            : { icon: 'globe', label: texts.timeZone, text: zoneText(locale, start, zone) },
          whereOf(page, found),
          {
            icon: 'person',
            label: texts.who,
            text: <Who page={page} name={entry.inviteeName} email={entry.inviteeEmail} />,
          },
        ]}
      />
      {entry.status === 'waiting' &&
        (page.isEmbedded ? (
          <p class="links">
            <a href={`${own}?token=${encodeURIComponent(token)}`} target="_blank" rel="noreferrer">
              {texts.leaveWaitlist}
            </a>
          </p>
        ) : (
          <form method="post" action={`${own}/leave`} class="links" data-once={texts.sending}>
            <HiddenFields fields={[['token', token]]} />
            <button type="submit" class="button soft-button">
              {texts.leaveWaitlist}
            </button>
          </form>
        ))}
      {(entry.status === 'expired' || entry.status === 'cancelled') && eventType.hasPage && (
        <p class="links">
          <a class="button" href={`/book/${organization.slug}/${eventType.slug}`}>
            {texts.bookAgain}
          </a>
        </p>
      )}
    </BookingDocument>
  )
}

/** The place that was chosen, else where the event type takes place. */
function whereOf(page: Page, { entry: { place }, eventType }: Found): Fact | null {
  const { texts } = page.locale
  const location = place ? (place.kind === 'in_person' ? place.value : null) : eventType.location
  const name = place && placeName(texts, place)
  if (!location && !name) return null
  const map = mapLink({ conferencing_provider: place?.kind ?? eventType.conferencingProvider, location })
  return {
    icon: 'place',
    label: texts.where,
    text: (
      <>
        {name && name !== location && <bdi>{name}</bdi>}{' '}
        {location && <Place page={page} location={location} map={map} />}
      </>
    ),
  }
}

type Ending = { title: string; text: string; icon: IconName; tone: 'good' | 'plain' }

function endingOf(status: Found['entry']['status'], texts: Page['locale']['texts']): Ending {
  switch (status) {
    case 'waiting':
      return { title: texts.onWaitlist, text: texts.onWaitlistText, icon: 'wait', tone: 'good' }
    case 'promoted':
      return { title: texts.promoted, text: texts.promotedText, icon: 'check', tone: 'good' }
    case 'expired':
      return { title: texts.waitOver, text: texts.waitOverText, icon: 'wait', tone: 'plain' }
    case 'cancelled':
      return { title: texts.leftWaitlist, text: '', icon: 'cross', tone: 'plain' }
  }
}
