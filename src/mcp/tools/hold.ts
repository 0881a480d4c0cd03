import { bookingOutcome, CONFIRMING, inviteeIn } from './booked.ts'
import { type Args, pathPart, pick, type Tool, type ToolCall, zoneOf } from './tool.ts'

type Held = { readonly id: string; readonly token: string; readonly status: string }

export const HOLD_TOOLS: readonly Tool[] = [
  {
    name: 'hold_time',
    title: 'Hold a time',
    description: 'Holds a start for ten minutes, while you ask the user.',
    writes: true,
    namesNobody: true,
    input: ['event_type_id', 'start_time', 'timezone', 'duration', 'seats', 'ttl_seconds'],
    required: ['event_type_id', 'start_time'],
    output: ['id', 'token', 'status', 'event_type_id', 'start_time', 'local_start', 'end_time', 'expires_at'],
    run: holdTime,
  },
  {
    name: 'confirm_hold',
    title: 'Confirm a hold',
    description: 'Turns a hold into the booking, at the same time. Before it expires, it succeeds.',
    writes: true,
    input: ['id', 'token', ...CONFIRMING, 'if_still_free'],
    required: ['id', 'token', 'invitee_name', 'invitee_email'],
    output: ['id', 'cancel_token', 'status', 'start_time', 'local_start', 'end_time', 'payment'],
    run: confirmHold,
  },
]

async function holdTime(call: ToolCall, args: Args) {
  const { holdRoutes } = await import('../../booking/holds/routes.ts')
  const body = pick(args, 'event_type_id', 'start_time', 'duration', 'seats', 'ttl_seconds')
  const { body: held, isReplay } = await call.act(holdRoutes.createHold, { body })
  const now = isReplay ? await holdAsItIs(call, held) : held
  return { body: now, zone: zoneOf(args), next: afterHolding(now.status, isReplay), isReplay }
}

/** The same call was made before: what became of the hold since. */
async function holdAsItIs(call: ToolCall, { id, token }: Held): Promise<Held> {
  const { holdRoutes } = await import('../../booking/holds/routes.ts')
  const found = await call.ask(holdRoutes.getHold, { params: { id }, query: { token } })
  return { ...found, token }
}

function afterHolding(status: string, isReplay: boolean): string {
  if (status === 'held') {
    return 'Nothing is booked yet. Ask the user, then call confirm_hold with id and token before expires_at.'
  }
  const again = isReplay ? ' To hold the time again, call again with an idempotency_key of your own.' : ''
  return `This hold is ${status}: it keeps no time.${again}`
}

async function confirmHold(call: ToolCall, args: Args) {
  const { holdRoutes } = await import('../../booking/holds/routes.ts')
  const body = { ...pick(args, 'if_still_free'), ...inviteeIn(args) }
  const input = { params: { id: pathPart(args, 'id') }, query: pick(args, 'token'), body }
  return bookingOutcome(call, args, await call.act(holdRoutes.confirmHold, input))
}
