import { listBookingsOfMember } from '../../booking/hosts/of-member/list-bookings.ts'
import { CONTENT_TYPES, IMAGE } from '../../booking/images/format.ts'
import { openDb } from '../../platform/db/client.ts'
import { notFound } from '../../platform/http/errors.ts'
import { defineRoute, defineRoutes } from '../../platform/http/route.ts'
import { assertOwnOrganization } from './own-organization.ts'
import { presentMember } from './present.ts'
import { deleteAvatar, putAvatar } from './put-avatar.ts'
import { findMemberInOrg, listMembersInOrg } from './queries.ts'
import { removeOnce } from './remove-once.ts'
import {
  Member,
  MemberBookingPage,
  MemberBookingsQuery,
  MemberList,
  MemberParams,
  RemovedMember,
  RemoveMemberQuery,
  TeamParams,
  TransferOwnershipInput,
  Transferred,
  UpdateMemberInput,
} from './schema.ts'
import { transferOwnership } from './transfer-ownership.ts'
import { updateMember } from './update-member.ts'

export const memberRoutes = defineRoutes({
  listMembers: defineRoute({
    method: 'GET',
    path: '/v1/organizations/:orgId/members',
    tag: 'Team',
    summary: 'List members',
    auth: 'key',
    permission: 'read',
    scope: 'read',
    limit: 'counted',
    request: { params: TeamParams },
    response: { status: 200, body: MemberList },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found'],
    handler: async (ctx, { params }) => {
      assertOwnOrganization(ctx, params.orgId)
      const rows = await listMembersInOrg(openDb(ctx.env, 'decide'), ctx.caller)
      return { data: rows.map(presentMember) }
    },
  }),
  getMember: defineRoute({
    method: 'GET',
    path: '/v1/organizations/:orgId/members/:memberId',
    tag: 'Team',
    summary: 'Get a member',
    auth: 'key',
    permission: 'read',
    scope: 'read',
    limit: 'counted',
    request: { params: MemberParams },
    response: { status: 200, body: Member },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found'],
    handler: async (ctx, { params }) => {
      assertOwnOrganization(ctx, params.orgId)
      const row = await findMemberInOrg(openDb(ctx.env, 'decide'), ctx.caller, params.memberId)
      if (!row) throw notFound('member')
      return presentMember(row)
    },
  }),
  listBookingsOfMember: defineRoute({
    method: 'GET',
    path: '/v1/organizations/:orgId/members/:memberId/bookings',
    tag: 'Team',
    summary: "List a member's upcoming bookings",
    description:
      'The active bookings that they host, alone or with others, and that are not over: those that need another host if they are removed. In the mode of the call, soonest first.',
    auth: 'key',
    permission: 'read',
    scope: 'read',
    limit: 'counted',
    request: { params: MemberParams, query: MemberBookingsQuery },
    response: { status: 200, body: MemberBookingPage },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found'],
    handler: async (ctx, { params, query }) => {
      assertOwnOrganization(ctx, params.orgId)
      const db = openDb(ctx.env, 'decide')
      const { memberId } = params
      const [member, bookings] = await Promise.all([
        findMemberInOrg(db, ctx.caller, memberId),
        listBookingsOfMember(db, ctx.caller, { memberId, now: ctx.now }, query),
      ])
      if (!member) throw notFound('member')
      return bookings
    },
  }),
  updateMember: defineRoute({
    method: 'PATCH',
    path: '/v1/organizations/:orgId/members/:memberId',
    tag: 'Team',
    summary: 'Change a member',
    description:
      "Only owners and admins can change the role and the limits, and the owner's role changes only through transfer-ownership. Members can also change everything else about themselves: with `X-User-Id`, or a key created on their behalf.",
    auth: 'key',
    permission: 'read',
    scope: 'shared',
    limit: 'counted',
    request: { params: MemberParams, body: UpdateMemberInput },
    response: { status: 200, body: Member },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found', 'conflict'],
    handler: async (ctx, { params, body }) => {
      assertOwnOrganization(ctx, params.orgId)
      return updateMember(ctx, params.memberId, body)
    },
  }),
  putAvatar: defineRoute({
    method: 'PUT',
    path: '/v1/organizations/:orgId/members/:memberId/avatar',
    tag: 'Team',
    summary: 'Upload the picture of a member',
    description: 'From then on, `avatar_url` is its address at `/media`. For owners, admins and the member.',
    auth: 'key',
    permission: 'read',
    scope: 'shared',
    limit: 'counted',
    request: { params: MemberParams, file: { contentTypes: CONTENT_TYPES, means: IMAGE } },
    response: { status: 200, body: Member },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found', 'conflict'],
    handler: async (ctx, { params }) => {
      assertOwnOrganization(ctx, params.orgId)
      return putAvatar(ctx, params.memberId)
    },
  }),
  deleteAvatar: defineRoute({
    method: 'DELETE',
    path: '/v1/organizations/:orgId/members/:memberId/avatar',
    tag: 'Team',
    summary: 'Remove the picture of a member',
    description:
      '`avatar_url` is null then, also if the picture was not uploaded. For owners, admins and the member.',
    auth: 'key',
    permission: 'read',
    scope: 'shared',
    limit: 'counted',
    request: { params: MemberParams },
    response: { status: 204 },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found', 'conflict'],
    handler: async (ctx, { params }) => {
      assertOwnOrganization(ctx, params.orgId)
      await deleteAvatar(ctx, params.memberId)
      return undefined
    },
  }),
  removeMember: defineRoute({
    method: 'DELETE',
    path: '/v1/organizations/:orgId/members/:memberId',
    tag: 'Team',
    summary: 'Remove a member',
    description:
      'The owner cannot be removed. Upcoming bookings stay: somebody who hosts one with them has it now, and the others have `needs_host`. With `bookings=reassign`, each one first goes to another free host, as far as six seconds allow. The event `member.removed` lists those, and so does an email to the owner, unless the owner removed the member.',
    auth: 'key',
    permission: 'administer',
    scope: 'shared',
    limit: 'counted',
    idempotency: 'by-verb',
    hasDryRun: true,
    request: { params: MemberParams, query: RemoveMemberQuery },
    response: {
      status: 200,
      body: RemovedMember,
      otherwise: { status: 204, means: 'Removed, without `bookings`.', isEmpty: true },
    },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found', 'conflict'],
    handler: async (ctx, { params, query }) => {
      assertOwnOrganization(ctx, params.orgId)
      return removeOnce(ctx, params.memberId, query.bookings === 'reassign')
    },
  }),
  transferOwnership: defineRoute({
    method: 'POST',
    path: '/v1/organizations/:orgId/transfer-ownership',
    tag: 'Team',
    summary: 'Transfer the ownership',
    description:
      "The previous owner becomes an admin at the same moment. What the owner's calendar holds for event types without hosts, the new owner's calendar holds from then on, and bookings are written there. If something there overlaps, nothing changes: 409 with `details.conflicts`.",
    auth: 'key',
    permission: 'own',
    scope: 'shared',
    limit: 'counted',
    request: { params: TeamParams, body: TransferOwnershipInput },
    response: { status: 200, body: Transferred },
    errors: ['validation_error', 'bad_request', 'unauthorized', 'forbidden', 'not_found', 'conflict'],
    handler: async (ctx, { params, body }) => {
      assertOwnOrganization(ctx, params.orgId)
      return transferOwnership(ctx, body.member_id)
    },
  }),
})
