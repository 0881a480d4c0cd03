import { MINUTE_MS } from '../core/time-units.ts'
import { because, type Refusal } from '../platform/http/errors.ts'
import { type Message, SERVER } from './envelope.ts'
import type { AgentRequest } from './find-caller.ts'
import { CAPABILITIES, INSTRUCTIONS, SERVER_INFO } from './instructions.ts'
import { listTools } from './list-tools.ts'
import { NUMBERS, type ProtocolError } from './protocol-error.ts'
import { REVISIONS } from './revisions.ts'
import { refuseTool, runTool } from './run-tool.ts'
import type { Room } from './size.ts'
import { findTool } from './tools/tools.ts'

type Answered = { readonly result: object } | { readonly wrong: ProtocolError }

/** How long a client may keep what only a deployment changes. */
const KEPT_MS = 5 * MINUTE_MS

/** One request of the newest revision. `refusal` is of one that was too many. */
export async function answerNewest(
  request: AgentRequest,
  { method, params }: Message,
  refusal: Refusal | undefined,
  room: Room,
): Promise<Answered> {
  if (refusal && method !== 'tools/call') return { wrong: { number: NUMBERS.invalidRequest, refusal } }
  switch (method) {
    case 'server/discover':
      return whole({
        supportedVersions: REVISIONS,
        capabilities: CAPABILITIES,
        instructions: INSTRUCTIONS,
        ...keptFor(request),
      })
    case 'tools/list':
      return whole({ tools: listTools(request.caller), ...keptFor(request) })
    case 'tools/call': {
      if (refusal) return whole(refuseTool(request, refusal))
      const { tool, wrong } = findTool(params.name)
      return wrong
        ? { wrong: { ...wrong, status: 200 } }
        : whole(await runTool(request, tool, params.arguments ?? {}, room))
    }
    default:
      return { wrong: { number: NUMBERS.methodNotFound, refusal: because('no_method'), status: 404 } }
  }
}

function whole(result: object): Answered {
  return { result: { ...result, resultType: 'complete', _meta: { [SERVER]: SERVER_INFO } } }
}

/** A key sees more tools than an anonymous caller. */
function keptFor({ caller }: AgentRequest) {
  return { ttlMs: KEPT_MS, cacheScope: caller.kind === 'public' ? 'public' : 'private' }
}
