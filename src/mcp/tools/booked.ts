import { localTime } from '../local-times.ts'
import { type Args, type Done, type Outcome, pick, type ToolCall, zoneOf } from './tool.ts'

const INVITEE = ['invitee_name', 'invitee_email', 'invitee_phone', 'invitee_timezone'] as const
const ABOUT = ['place_id', 'locale', 'notes', 'answers', 'attendees', 'verification_code'] as const

/** What a booking is made with, beside its time. */
export const CONFIRMING = [...INVITEE, 'timezone', ...ABOUT] as const

/** The same as the API takes it. */
export function inviteeIn(args: Args) {
  return { ...pick(args, ...INVITEE, ...ABOUT), ...zoneOfInvitee(args) }
}

/** The invitee's zone is the one that times are shown in, unless the call says otherwise. */
export function zoneOfInvitee(args: Args): { readonly invitee_timezone?: unknown } {
  const invitee_timezone = args.invitee_timezone ?? args.timezone
  return invitee_timezone == null ? {} : { invitee_timezone }
}

type Booked = {
  readonly id: string
  readonly status: string
  readonly start_time: string
  readonly invitee_timezone: string
  readonly cancel_token?: string
  readonly payment: { readonly status: string } | null
  /** Where the booking was looked up. */
  readonly allowed_actions?: Readonly<Record<'cancel' | 'reschedule', { readonly allowed: boolean }>>
}

/** A booking that was just made or changed, as it is now where the same call was made before. */
export async function bookingOutcome(
  call: ToolCall,
  args: Args,
  { body: made, isReplay }: Done<Booked>,
): Promise<Outcome> {
  const token = made.cancel_token ?? (args.token as string | undefined)
  const booked = isReplay ? { ...made, ...(await bookingAsItIs(call, made.id, token)) } : made
  const zone = zoneOf(args, booked.invitee_timezone)
  const wanted = args.new_start_time ?? args.start_time
  const isElsewhere =
    booked.status === 'cancelled' ||
    (typeof wanted === 'string' && Date.parse(wanted) !== Date.parse(booked.start_time))
  const next =
    isReplay && isElsewhere
      ? `This call was made before, and the booking was changed since: this is how it stands now. To do it again on purpose, call with an idempotency_key of your own.`
      : afterBooking(call, booked, token, zone)
  return { body: booked, zone, next, isReplay }
}

async function bookingAsItIs(call: ToolCall, id: string, token: string | undefined): Promise<Booked> {
  const { bookingRoutes } = await import('../../booking/bookings/routes.ts')
  const query = call.isPublic ? { token } : {}
  return call.ask(bookingRoutes.getBooking, { params: { id }, query })
}

/** What is to be done about a booking in this state. */
export function afterBooking(
  { publicUrl }: ToolCall,
  { id, status, start_time, payment, allowed_actions: actions }: Booked,
  token: string | undefined,
  zone: string,
): string {
  const page = token ? `${publicUrl}/bookings/${id}?token=${token}` : null
  switch (status) {
    case 'pending_payment':
      if (payment?.status === 'processing') {
        return 'The payment is in progress, which may take days, and the time is held in the meantime: do not pay again. Check later with get_booking whether it is confirmed.'
      }
      return page
        ? `It is not confirmed before it is paid. Give the user ${page} to pay there, and check with get_booking whether it is confirmed.`
        : 'It is not confirmed before it is paid. Check with get_booking whether it is.'
    case 'pending_approval':
      return 'It is requested, not confirmed: the organization decides. Say so, and look later with get_booking.'
    case 'cancelled':
      return 'It is cancelled and holds no time. Say so to the user.'
    default: {
      const isLate = actions !== undefined && !actions.cancel.allowed && !actions.reschedule.allowed
      const keep =
        page && !isLate ? ` Keep id and cancel_token, and give the user ${page} to move or cancel it.` : ''
      return `Say to the user that it is booked for ${localTime(start_time, zone)} (${zone}).${keep}`
    }
  }
}
