import type { Result } from '@modelcontextprotocol/sdk/types.js'
import { isTimeZone } from '../core/local-time.ts'
import { act, demand } from '../platform/http/act-as.ts'
import { brakeUnproven } from '../platform/http/admit.ts'
import { beginCost } from '../platform/http/cost-brake.ts'
import { isDryRun } from '../platform/http/dry-run.ts'
import { invalid, type Refusal, Refused } from '../platform/http/errors.ts'
import { unexpected } from '../platform/http/failure.ts'
import { problem } from '../platform/reasons/reason.ts'
import { asAgent } from './as-agent.ts'
import type { AgentRequest } from './find-caller.ts'
import { withLocalTimes } from './local-times.ts'
import { inBoth, resultOf } from './result.ts'
import type { Room } from './size.ts'
import { refusalOf, told } from './tool-refusal.ts'
import { FIELDS, type Field, WRITES } from './tools/fields.ts'
import type { Args, Outcome, Tool } from './tools/tool.ts'

/** A call may have thousands of wrong fields. */
const MOST_DETAILS = 20
const UNGUESSABLE_LENGTH = 16
const IGNORED = ` Your idempotency_key was ignored: without an API key it needs at least ${UNGUESSABLE_LENGTH} characters that nobody can guess.`

/** Does what is asked for. Whatever is wrong with it becomes an answer that says so, never an error of the protocol. */
export async function runTool(request: AgentRequest, tool: Tool, args: unknown, room: Room): Promise<Result> {
  const zone = zoneIn(args)
  const hint = isGuessable(request, tool, (args ?? {}) as Args) ? IGNORED : ''
  try {
    if (request.caller.kind === 'public') await beginCost(request.env, request.ipAddress, 'call')
    const { outcome, isDry } = await run(request, tool, args)
    return resultOf(tool, outcome, { isDry, hint }, room)
  } catch (error) {
    if (!(error instanceof Refused)) return refuseTool(request, unexpected(error, request.requestId))
    const braked = await brakeUnproven({}, error, request.env, request.ipAddress, new Headers())
    return refuseTool(request, braked ? refusalOf(braked) : error.refusal, zone, hint)
  }
}

/** Whether others could send the same key by chance, where it would give them what is not theirs. */
function isGuessable(
  { caller }: AgentRequest,
  { namesNobody }: Tool,
  { idempotency_key: key }: Args,
): boolean {
  const isShort = typeof key === 'string' && key.length < UNGUESSABLE_LENGTH
  return namesNobody === true && caller.kind === 'public' && isShort
}

export function refuseTool(
  { env, requestId }: AgentRequest,
  refusal: Refusal,
  zone = 'UTC',
  hint = '',
): Result {
  const error = told(refusal, env.PUBLIC_URL, requestId, (details) => withLocalTimes(firstOf(details), zone))
  const suggested_next_action = `${error.suggested_next_action}${hint}`
  return { ...inBoth({ error: { ...error, suggested_next_action } }), isError: true }
}

/** Agents that correct these call again. */
function firstOf(details: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(Object.entries(details).slice(0, MOST_DETAILS))
}

type Ran = { readonly outcome: Outcome; readonly isDry: boolean }

async function run(request: AgentRequest, tool: Tool, sent: unknown): Promise<Ran> {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
    throw invalid({ arguments: problem('not_a', { kinds: ['object'] }) })
  }
  const args = sent as Args
  for (const name of tool.required)
    if (args[name] === undefined) throw invalid({ [name]: problem('required') })
  for (const name of [...tool.input, ...(tool.writes ? WRITES : [])]) {
    if (isPlain(FIELDS[name]) && !isPlainValue(args[name])) throw invalid({ [name]: problem('not_plain') })
  }
  if (typeof args.timezone === 'string' ? !isTimeZone(args.timezone) : args.timezone != null) {
    throw invalid({ timezone: problem('not_a_time_zone') })
  }
  if (args.dry_run !== undefined && args.dry_run !== null && !tool.writes) {
    throw invalid({ dry_run: problem('changes_nothing') })
  }
  const isDry = isDryRun(args.dry_run == null ? undefined : String(args.dry_run))
  const isSameAct = !(tool.namesNobody && request.caller.kind === 'public')
  const key = isGuessable(request, tool, args) ? undefined : args.idempotency_key
  const manner = { isDry, key, isSameAct }
  const outcome = await tool.run(
    {
      isPublic: request.caller.kind === 'public',
      publicUrl: request.env.PUBLIC_URL.replace(/\/$/, ''),
      isDry,
      ask: (route, ...input) => demand(asAgent(request), route, ...input),
      act: async (route, ...input) => {
        const acted = await act(asAgent(request, manner), route, ...input)
        if (!acted.ok) throw new Refused(acted.refusal)
        return acted
      },
    },
    args,
  )
  return { outcome, isDry }
}

function isPlain({ type }: Field): boolean {
  return type !== 'object' && type !== 'array'
}

/** Values that can be a text: an object may not even have one. Filters take lists. */
function isPlainValue(value: unknown): boolean {
  const all: readonly unknown[] = Array.isArray(value) ? value : [value]
  return all.every((one) => typeof one !== 'object' || one === null)
}

/** The zone of a person's times, even when the other arguments are wrong. */
function zoneIn(args: unknown): string {
  const { timezone, invitee_timezone } = (args ?? {}) as Args
  const zone = [timezone, invitee_timezone].find((one) => typeof one === 'string' && isTimeZone(one))
  return (zone as string | undefined) ?? 'UTC'
}
