import { isTokenFor } from '../../platform/auth/secret.ts'
import { openDb } from '../../platform/db/client.ts'
import { isId } from '../../platform/db/ids.ts'
import type { Context } from '../../platform/http/context.ts'
import { notFound, refuse } from '../../platform/http/errors.ts'
import { formatNullable } from '../../platform/http/instants.ts'
import { presentBranding } from '../branding/present.ts'
import { findEntryWithOwner } from './queries.ts'

/** A waitlist entry for its invitee. Without its token the caller is `unauthorized`. */
export async function getEntryForInvitee(ctx: Context, id: string, token: string) {
  const isTheirs = isId(id) && (await isTokenFor(ctx.env.ENCRYPTION_KEY, id.toLowerCase(), token))
  if (!isTheirs) throw refuse('wrong_token', { thing: 'entry' })
  const found = await findEntryWithOwner(openDb(ctx.env, 'decide'), id.toLowerCase())
  if (!found) throw notFound('waitlist entry')
  const { entry, eventType, organization } = found
  return {
    entry: {
      id: entry.id,
      status: entry.status,
      startTime: formatNullable(entry.startTime),
      durationMinutes: entry.durationMinutes,
      inviteeName: entry.inviteeName,
      inviteeEmail: entry.inviteeEmail,
      inviteeTimezone: entry.inviteeTimezone,
      zoneUnknown: entry.zoneUnknown,
      place: entry.meetsAt,
    },
    eventType: {
      title: eventType.title,
      slug: eventType.slug,
      color: eventType.color,
      timezone: eventType.timezone,
      conferencingProvider: eventType.conferencingProvider,
      location: eventType.location,
      hasPage: eventType.bookingPageEnabled && eventType.active && !entry.isTest,
    },
    organization: {
      name: organization.name,
      slug: organization.slug,
      branding: presentBranding(organization),
    },
  }
}
