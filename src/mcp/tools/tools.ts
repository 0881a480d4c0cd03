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
