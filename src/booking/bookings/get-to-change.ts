import { openDb } from '../../platform/db/client.ts'
import type { Context } from '../../platform/http/context.ts'
import { presentQuestions } from '../questions/present.ts'
import { getBookingForInvitee } from './get-for-invitee.ts'
import { presentPhone } from './present.ts'
import { findAskedOf } from './queries.ts'

/** A booking for its invitee, with everything that they can change. */
export async function getBookingToChange(ctx: Context, id: string, token: string) {
  const found = await getBookingForInvitee(ctx, id, token)
  const { row } = found
  const [asked, phone] = await Promise.all([
    findAskedOf(openDb(ctx.env, 'decide'), row.eventTypeId),
    presentPhone(ctx.env, row),
  ])
  const { maxGuests, questions, reminderChannels } = asked
  const offersTexts = reminderChannels.includes('sms')
  return { ...found, maxGuests, questions: presentQuestions(questions), phone, offersTexts }
}
export type BookingToChange = Awaited<ReturnType<typeof getBookingToChange>>
