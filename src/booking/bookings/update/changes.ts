import type { Env } from '../../../env.ts'
import type { BookingRow } from '../../../platform/db/schema/bookings.ts'
import type { Place } from '../../../platform/db/schema/event-types.ts'
import { changedOnly } from '../../../platform/http/changed-only.ts'
import { spokenTag } from '../../../platform/i18n/tags.ts'
import { mailboxMark } from '../../anonymous-callers/anonymous-caller.ts'
import { locationOf, placeOf } from '../../places/choose-place.ts'
import { openAnswers, sealAnswers } from '../../questions/take-answers.ts'
import { givenLink } from '../meeting-link.ts'
import { presentPhone, sealPhone } from '../present.ts'
import type { UpdateBookingInput } from './input.ts'
import { peopleAfter } from './people.ts'
import type { BookingToUpdate } from './queries.ts'

/** The columns that a change writes, and the fields of the API that change with them. */
export type Changes = {
  readonly columns: Partial<BookingRow>
  readonly changed: readonly string[]
}

/** Everything that the input changes; nothing if all of it is as it was. */
export async function changesOf(
  env: Env,
  { booking: read, terms }: BookingToUpdate,
  input: UpdateBookingInput,
  isInvitee: boolean,
): Promise<Changes> {
  const { attendees, guests } = peopleAfter(read, input)
  const isNewAddress =
    input.invitee_email !== undefined && input.invitee_email.toLowerCase() !== read.inviteeEmail.toLowerCase()
  const { invitee_locale: locale, custom_meeting_url: link } = input
  const moved = { ...read, ...placeColumns(read, input, terms) }
  const columns = changedOnly<BookingRow>(read, {
    inviteeName: input.invitee_name ?? read.inviteeName,
    inviteeEmail: input.invitee_email ?? read.inviteeEmail,
    inviteeTimezone: input.invitee_timezone ?? read.inviteeTimezone,
    zoneUnknown: read.zoneUnknown && input.invitee_timezone === undefined,
    inviteeLocale: locale === undefined ? read.inviteeLocale : spokenTag(locale, terms.organizationLocale),
    notes: input.notes === undefined ? read.notes : input.notes,
    metadata: input.metadata ?? read.metadata,
    place: moved.place,
    conferencingUrl: moved.conferencingUrl,
    location: input.location === undefined ? moved.location : input.location,
    attendees,
    guests,
    ...(link !== undefined && linkOf(moved, link, terms)),
    ...(isNewAddress && {
      addressVersion: read.addressVersion + 1,
      addressMark:
        read.addressMark && input.invitee_email ? await mailboxMark(env, input.invitee_email) : null,
    }),
  })
  const sealed = await sealedOf(env, read, terms, input)
  const isOtherNumber = isInvitee && sealed.inviteePhone !== undefined
  const smsConsent = input.sms_consent ?? (isOtherNumber ? false : read.smsConsent)
  if (smsConsent !== read.smsConsent) sealed.smsConsent = smsConsent
  return { columns: { ...columns, ...sealed }, changed: fieldsOf(columns, sealed, read) }
}

/** Another place brings its own address, and its own link unless the booking has one of its own. */
function placeColumns(
  read: BookingRow,
  { place_id: id }: UpdateBookingInput,
  terms: BookingToUpdate['terms'],
): Partial<BookingRow> {
  const place = id == null ? null : placeOf(terms, { place_id: id })
  if (place === null || isSamePlace(place, read.place)) return {}
  const isSameLink =
    read.ownMeetingUrl !== null || (place.kind === read.place?.kind && place.kind !== 'custom')
  const conferencingUrl = isSameLink ? read.conferencingUrl : givenLink(terms, place)
  return { place, location: locationOf(place), conferencingUrl }
}

function isSamePlace(one: Place, other: Place | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** A link of its own replaces a meeting that was made; null gives it what the event type gives. */
function linkOf(
  read: BookingRow,
  link: string | null,
  terms: BookingToUpdate['terms'],
): Pick<BookingRow, 'ownMeetingUrl' | 'conferencingUrl'> {
  if (link !== null) return { ownMeetingUrl: link, conferencingUrl: link }
  const { ownMeetingUrl, conferencingUrl } = read
  return {
    ownMeetingUrl: null,
    conferencingUrl: ownMeetingUrl === null ? conferencingUrl : givenLink(terms, read.place),
  }
}

/** Sealing again makes another text of the same answers, so they are compared open. */
async function sealedOf(
  env: Env,
  read: BookingRow,
  { questions }: BookingToUpdate['terms'],
  { answers, invitee_phone: phone }: UpdateBookingInput,
): Promise<Partial<BookingRow>> {
  const sealed: Partial<BookingRow> = {}
  if (answers !== undefined) {
    const after = await sealAnswers(env, questions, answers ?? {})
    const [before, now] = await Promise.all([read.answers, after].map((text) => openAnswers(env, text)))
    if (JSON.stringify(before) !== JSON.stringify(now)) sealed.answers = after
  }
  if (phone !== undefined && phone !== (await presentPhone(env, read))) {
    sealed.inviteePhone = await sealPhone(env, phone)
  }
  return sealed
}

const FIELDS = {
  inviteeName: 'invitee_name',
  inviteeEmail: 'invitee_email',
  inviteeTimezone: 'invitee_timezone',
  zoneUnknown: 'invitee_timezone',
  inviteeLocale: 'invitee_locale',
  inviteePhone: 'invitee_phone',
  smsConsent: 'sms_consent',
  notes: 'notes',
  metadata: 'metadata',
  answers: 'answers',
  place: 'place',
  location: 'location',
  conferencingUrl: 'conferencing_url',
  guests: 'guests',
} as const satisfies Partial<Record<keyof BookingRow, string>>

/** The invitee is an attendee, too, but their own fields say what changed. */
function fieldsOf(columns: Partial<BookingRow>, sealed: Partial<BookingRow>, read: BookingRow): string[] {
  const all = { ...columns, ...sealed }
  const others = (row: Pick<BookingRow, 'attendees'>) => JSON.stringify(row.attendees.slice(1))
  const { attendees } = columns
  const fields = [
    ...Object.entries(FIELDS).flatMap(([column, field]) => (column in all ? [field] : [])),
    ...(attendees && others({ attendees }) !== others(read) ? ['attendees'] : []),
  ]
  return [...new Set(fields)]
}

/** Whether everybody gets an email: the place, the link or the people are others. New names and zones email nobody. */
export function isEmailed(read: BookingRow, { columns, changed }: Changes): boolean {
  const after = { ...read, ...columns }
  const isElsewhere = ['place', 'location', 'conferencing_url'].some((field) => changed.includes(field))
  return isElsewhere || addressesOf(read) !== addressesOf(after)
}

function addressesOf({ attendees, guests }: BookingRow): string {
  const emails = [...attendees, ...(guests ?? [])].map(({ email }) => email.toLowerCase())
  return emails.sort().join()
}
