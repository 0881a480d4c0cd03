import { bookingEmail } from '../../booking/bookings/booking-emails.ts'
import { Booking } from '../../booking/bookings/schema.ts'
import { WaitlistEntry } from '../../booking/waitlist/schema.ts'
import { waitlistEmail } from '../../booking/waitlist/waitlist-emails.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/time-units.ts'
import { assertWithinDay } from '../../outbox/mail/assert-within-day.ts'
import { enqueueEmail } from '../../outbox/mail/enqueue-email.ts'
import type { Enqueued } from '../../outbox/mail/enqueued.ts'
import { type TenantCaller, userIdOf } from '../../platform/auth/caller.ts'
import { type Db, openDb } from '../../platform/db/client.ts'
import { newId } from '../../platform/db/ids.ts'
import type { EmailTextKind } from '../../platform/db/schema/email-texts.ts'
import type { Email } from '../../platform/email/email-sender.ts'
import type { Context } from '../../platform/http/context.ts'
import { invalid } from '../../platform/http/errors.ts'
import { commit } from '../../platform/http/idempotency.ts'
import { formatInstant } from '../../platform/http/instants.ts'
import { realNow } from '../../platform/limits/clock.ts'
import { problem } from '../../platform/reasons/reason.ts'
import { selectForPreview } from './queries.ts'
import type { EmailTextPreview, PreviewInput } from './schema.ts'

type Found = Awaited<ReturnType<typeof selectForPreview>>[number]

/** Events that the emails of a kind are about. */
const NEWS = {
  confirmation: 'booking.confirmed',
  moved: 'booking.rescheduled',
  cancelled: 'booking.cancelled',
  reminder: 'booking.reminded',
  request: 'booking.requested',
  follow_up: 'booking.followed_up',
} as const

/** An email about an invented booking, with the stored texts, in the zone of the calling member. */
export async function previewEmailText(
  ctx: Context<TenantCaller>,
  kind: EmailTextKind,
  { locale, send_to_me }: PreviewInput,
): Promise<EmailTextPreview> {
  const db = openDb(ctx.env, 'decide')
  const [found] = await selectForPreview(db, ctx.caller, kind, userIdOf(ctx.caller))
  const address = found!.member?.email ?? ''
  if (send_to_me && address === '') throw invalid({ send_to_me: problem('no_own_address') })
  const { subject, text, html, ...email } = await invented(ctx, found!, kind, locale)
  // An invitation to a calendar would bring the invented booking there.
  const { attachments: _none, ...rest } = email
  const answer = { subject, text, html: html ?? '', sent_to: send_to_me ? address : null }
  const posting = send_to_me ? await toSelf(ctx, db, { ...rest, subject, text, html, to: address }) : null
  // A preview is the same again: only its key is stored.
  if (posting || ctx.claim)
    await commit(ctx, db, [...(posting?.statements ?? [])], { status: 200, body: answer })
  await posting?.announce()
  return answer
}

function invented(
  { env, caller, now }: Context<TenantCaller>,
  { about: read, zone, location, durationMinutes, member }: Found,
  kind: EmailTextKind,
  locale: string,
): Promise<Email> {
  const { organizationId } = caller
  const start = Math.ceil((now + DAY_MS) / HOUR_MS) * HOUR_MS
  const end = start + (durationMinutes ?? 30) * MINUTE_MS
  const times = { start_time: formatInstant(start), end_time: formatInstant(end) }
  const about = { ...read, title: read.title ?? read.sender.name }
  const invitee = { invitee_timezone: member?.timezone ?? zone, invitee_locale: locale }
  if (kind === 'waitlist') {
    const { example } = WaitlistEntry.meta()! as { example: WaitlistEntry }
    const expires_at = times.start_time
    const entry = { ...example, ...invitee, start_time: times.start_time, expires_at }
    const facts = { durationMinutes: durationMinutes ?? 30, location, place: null, about, people: [] }
    return waitlistEmail(env, { entry, ...facts })
  }
  const { example } = Booking.meta()! as { example: Booking }
  const attendee = { ...example.attendees[0]!, email: 'ada@example.com', timezone: invitee.invitee_timezone }
  const isRequest = kind === 'request'
  const booking: Booking = {
    ...example,
    ...invitee,
    ...times,
    organization_id: organizationId,
    status: isRequest ? 'pending_approval' : 'confirmed',
    location,
    attendees: [attendee],
  }
  const before = { start_time: formatInstant(start - DAY_MS), end_time: formatInstant(end - DAY_MS) }
  const people = member ? [{ ...member, locale: null, notifications: null, isOwner: true }] : []
  return bookingEmail(
    env,
    {
      kind: NEWS[kind],
      booking: member ? { ...booking, assigned_host: hostOf(member) } : booking,
      isKeyless: false,
      previous: kind === 'moved' ? before : null,
      revision: 1,
      addressVersion: 0,
      happenedAt: now,
      about,
      people,
    },
    attendee,
  )
}

function hostOf({ id, email, name }: NonNullable<Found['member']>): Booking['assigned_host'] {
  return { member_id: id, user_id: '', email, name }
}

/** A member can get as many test emails a day as everybody else. */
async function toSelf({ env, caller }: Context<TenantCaller>, db: Db, email: Email): Promise<Enqueued> {
  await assertWithinDay(db, caller, email.to, realNow())
  return enqueueEmail(env, db, caller, { ...email, onceKey: `${newId(caller.organizationId)}/email-text` })
}
