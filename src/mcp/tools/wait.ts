import { zoneOfInvitee } from './booked.ts'
import { type Args, pick, type Tool, type ToolCall, zoneOf } from './tool.ts'

const JOINING = [
  'event_type_id',
  'start_time',
  'duration',
  'invitee_name',
  'invitee_email',
  'invitee_phone',
  'invitee_timezone',
  'place_id',
  'locale',
  'notes',
  'answers',
  'verification_code',
] as const

export const WAIT_TOOLS: readonly Tool[] = [
  {
    name: 'join_waitlist',
    title: 'Wait for a full time',
    description:
      'Waits for one of waitlist_slots, or without start_time for any. The next entry is booked automatically.',
    writes: true,
    input: [...JOINING, 'timezone'],
    required: ['event_type_id', 'invitee_name', 'invitee_email'],
    output: ['id', 'cancel_token', 'status', 'position', 'start_time', 'local_start', 'expires_at'],
    run: joinWaitlist,
  },
]

async function joinWaitlist(call: ToolCall, args: Args) {
  const { waitlistRoutes } = await import('../../booking/waitlist/routes.ts')
  const body = { ...pick(args, ...JOINING), ...zoneOfInvitee(args) }
  const { body: made, isReplay } = await call.act(waitlistRoutes.joinWaitlist, { body })
  const { id, cancel_token: token, invitee_timezone: theirs } = made
  const next = `Nothing is booked yet. Tell the user that they get an email when it is, and give them ${call.publicUrl}/waitlist/${id}?token=${token} to check or leave.`
  return { body: made, zone: zoneOf(args, theirs), next, isReplay }
}
