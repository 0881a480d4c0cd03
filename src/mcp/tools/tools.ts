import { because } from '../../platform/http/errors.ts'
import { NUMBERS, type ProtocolError } from '../protocol-error.ts'
import { BOOKING_TOOLS } from './book.ts'
import { FIND_EVENT_TYPES } from './find-event-types.ts'
import { FIND_OPEN_TIMES } from './find-open-times.ts'
import { HOLD_TOOLS } from './hold.ts'
import { ORGANIZATION_TOOLS } from './of-organization.ts'
import type { Tool } from './tool.ts'
import { WAIT_TOOLS } from './wait.ts'

/** In the order in which an agent needs them. */
export const TOOLS: readonly Tool[] = [
  FIND_EVENT_TYPES,
  FIND_OPEN_TIMES,
  ...HOLD_TOOLS,
  ...BOOKING_TOOLS,
  ...WAIT_TOOLS,
  ...ORGANIZATION_TOOLS,
]

type Found =
  | { readonly tool: Tool; readonly wrong?: undefined }
  | { readonly tool?: undefined; readonly wrong: ProtocolError }

export function findTool(name: unknown): Found {
  const tool = TOOLS.find((one) => one.name === name)
  if (tool) return { tool }
  const refusal = because('no_tool', { name: String(name).slice(0, 64) })
  const suggestedNextAction = 'Use one of the tools that tools/list names.'
  return { wrong: { number: NUMBERS.invalidParams, refusal, suggestedNextAction } }
}
