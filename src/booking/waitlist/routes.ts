import { askEventType } from '../../engine/turn/command.ts'
import { answerOf } from '../../engine/turn/outcome.ts'
import { openDb } from '../../platform/db/client.ts'
import { isId } from '../../platform/db/ids.ts'
import { notFound } from '../../platform/http/errors.ts'
import { cutPage } from '../../platform/http/page.ts'
import { defineRoute, defineRoutes } from '../../platform/http/route.ts'
import { commandOf, namedCommandOf } from '../bookings/command-of.ts'
import { presentPhone } from '../bookings/present.ts'
import { presentAnswers } from '../questions/take-answers.ts'
import { authorizeEntry } from './authorize-entry.ts'
import { JOIN_WAITLIST, LEAVE_WAITLIST } from './commands.ts'
import { presentEntry } from './present.ts'
import { findEntryInTenant, listEntriesInTenant } from './queries.ts'
import {
  CreatedWaitlistEntry,
  JoinWaitlistInput,
  LeaveQuery,
  WaitlistEntry,
  WaitlistEntryDetail,
  WaitlistPage,
  WaitlistParams,
  WaitlistQuery,
} from './schema.ts'

export const waitlistRoutes = defineRoutes({
  joinWaitlist: defineRoute({
    method: 'POST',
    path: '/v1/waitlist',
    tag: 'Waitlist',
    summary: 'Join the waitlist',
    description:
      'When time is released, the oldest entry that fits is booked, and its invitee gets an email. A full waitlist or a second entry is a `conflict` with `waitlist_full` or `already_on_waitlist` in `details.code`.',
    auth: 'optional-key',
    permission: 'book',
    scope: 'mode',
    limit: 'counted',
    idempotency: 'by-verb',
    hasDryRun: true,
    request: { body: JoinWaitlistInput },
    response: { status: 201, body: CreatedWaitlistEntry },
    errors: [
      'validation_error',
      'bad_request',
      'unauthorized',
      'forbidden',
      'org_suspended',
      'not_found',
      'conflict',
    ],
    handler: async (ctx, { body }) => {
      const command = { ...namedCommandOf(ctx, body.event_type_id), input: body }
      return answerOf(await askEventType(ctx.env, command.eventTypeId, JOIN_WAITLIST, command))
    },
  }),
  listWaitlist: defineRoute({
    method: 'GET',
    path: '/v1/waitlist',
    tag: 'Waitlist',
    summary: 'List waitlist entries',
    auth: 'key',
    permission: 'read',
    scope: 'read',
    limit: 'counted',
    request: { query: WaitlistQuery },
    response: { status: 200, body: WaitlistPage },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found'],
    handler: async (ctx, { query }) => {
      if (query.event_type_id && !query.event_type_id.every(isId)) throw notFound('event type')
      const rows = await listEntriesInTenant(openDb(ctx.env, 'decide'), ctx.caller, query)
      const { data, has_more } = cutPage(rows, query)
      return { data: data.map((row) => presentEntry(row, row.position)), has_more }
    },
  }),
  getWaitlistEntry: defineRoute({
    method: 'GET',
    path: '/v1/waitlist/:id',
    tag: 'Waitlist',
    summary: 'Get a waitlist entry',
    auth: 'key',
    permission: 'read',
    scope: 'read',
    limit: 'counted',
    request: { params: WaitlistParams },
    response: { status: 200, body: WaitlistEntryDetail },
    errors: ['unauthorized', 'forbidden', 'not_found'],
    handler: async (ctx, { params }) => {
      const row = await findEntryInTenant(openDb(ctx.env, 'decide'), ctx.caller, params.id)
      if (!row) throw notFound('waitlist entry')
      const answers = await presentAnswers(ctx.env, row.answers)
      return { ...presentEntry(row, row.position), invitee_phone: await presentPhone(ctx.env, row), answers }
    },
  }),
  leaveWaitlist: defineRoute({
    method: 'POST',
    path: '/v1/waitlist/:id/cancel',
    tag: 'Waitlist',
    summary: 'Leave the waitlist',
    description: 'With a key or with the cancel token. Leaving again succeeds.',
    auth: 'key-or-token',
    permission: 'book',
    scope: 'mode',
    limit: 'counted',
    idempotency: 'by-verb',
    request: { params: WaitlistParams, query: LeaveQuery },
    response: { status: 200, body: WaitlistEntry },
    errors: ['unauthorized', 'forbidden', 'not_found', 'conflict'],
    handler: async (ctx, { params, query }) => {
      const { entry, now } = await authorizeEntry(ctx, params.id, query.token)
      const command = { ...commandOf(ctx, entry.eventTypeId), now, entryId: entry.id }
      return answerOf(await askEventType(ctx.env, entry.eventTypeId, LEAVE_WAITLIST, command))
    },
  }),
})
