import type { Result } from '@modelcontextprotocol/sdk/types.js'
import { brakeUnproven } from '../http/admit.ts'
import { isDryRun } from '../http/dry-run.ts'
import { invalid, type Refusal, Refused } from '../http/errors.ts'
import { unexpected } from '../http/failure.ts'
import { isTimeZone } from '../scheduling/local-time.ts'
import { act, ask } from './ask.ts'
import type { Visit } from './door.ts'
import { withLocalTimes } from './local-times.ts'
import { refusalOf, told } from './told.ts'
import type { Args, Tool } from './tools/tool.ts'

const UNGUESSABLE_LENGTH = 16
const IGNORED = ` Your idempotency_key was ignored: without an API key it needs at least ${UNGUESSABLE_LENGTH} characters that nobody can guess.`

/** Does what is asked for. Whatever is wrong with it becomes an answer that says so, never an error of the protocol. */
export async function runTool(visit: Visit, tool: Tool, args: unknown): Promise<Result> {
  const zone = zoneIn(args)
  try {
    return resultOf(await run(visit, tool, args))
  } catch (error) {
    if (!(error instanceof Refused)) return refuseTool(visit, unexpected(error, visit.requestId))
    const braked = await brakeUnproven({}, error, visit.env, visit.ipAddress, new Headers())
    const hint = isGuessable(visit, tool, (args ?? {}) as Args) ? IGNORED : ''
    return refuseTool(visit, braked ? refusalOf(braked) : error.refusal, zone, hint)
  }
}

/** Whether others could send the same key by chance, where it would give them what is not theirs. */
function isGuessable({ caller }: Visit, { namesNobody }: Tool, { idempotency_key: key }: Args): boolean {
  const isShort = typeof key === 'string' && key.length < UNGUESSABLE_LENGTH
  return namesNobody === true && caller.kind === 'public' && isShort
}

export function refuseTool({ env, requestId }: Visit, refusal: Refusal, zone = 'UTC', hint = ''): Result {
  const details = refusal.details && (withLocalTimes(refusal.details, zone) as Refusal['details'])
  const error = told(refusal, env.PUBLIC_URL, requestId, details)
  const suggested_next_action = `${error.suggested_next_action}${hint}`
  return { ...resultOf({ error: { ...error, suggested_next_action } }), isError: true }
}

async function run(visit: Visit, tool: Tool, sent: unknown): Promise<Readonly<Record<string, unknown>>> {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
    throw invalid({ arguments: 'Must be an object.' })
  }
  const args = sent as Args
  for (const name of tool.required) if (args[name] === undefined) throw invalid({ [name]: 'Is required.' })
  if (typeof args.timezone === 'string' ? !isTimeZone(args.timezone) : args.timezone != null) {
    throw invalid({ timezone: 'Must be an IANA time zone, such as Europe/Berlin.' })
  }
  if (args.dry_run !== undefined && args.dry_run !== null && !tool.writes) {
    throw invalid({ dry_run: 'Must not be sent: this tool changes nothing.' })
  }
  const isDry = isDryRun(args.dry_run == null ? undefined : String(args.dry_run))
  const isSameAct = !(tool.namesNobody && visit.caller.kind === 'public')
  const key = isGuessable(visit, tool, args) ? undefined : args.idempotency_key
  const manner = { isDry, key, isSameAct }
  const { body, zone, next, isReplay } = await tool.run(
    {
      isPublic: visit.caller.kind === 'public',
      publicUrl: visit.env.PUBLIC_URL.replace(/\/$/, ''),
      isDry,
      ask: (routes, operationId, input) => ask(visit, routes, operationId, input),
      act: (routes, operationId, input) => act(visit, routes, operationId, input, manner),
    },
    args,
  )
  return {
    ...(withLocalTimes(body, zone) as object),
    timezone: zone,
    ...(isDry && { dry_run: true }),
    ...(isReplay && { replayed: true }),
    suggested_next_action: isDry
      ? 'Nothing was done. To do it, make the same call without dry_run.'
      : `${next}${isGuessable(visit, tool, args) ? IGNORED : ''}`,
  }
}

/** What a person's times are told in, even where the rest of the arguments is wrong. */
function zoneIn(args: unknown): string {
  const { timezone, invitee_timezone } = (args ?? {}) as Args
  const zone = [timezone, invitee_timezone].find((one) => typeof one === 'string' && isTimeZone(one))
  return (zone as string | undefined) ?? 'UTC'
}

/** As structure, and as text for clients that read no structure. */
function resultOf(structuredContent: Readonly<Record<string, unknown>>): Result {
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent }
}
