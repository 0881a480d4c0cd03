import { BOOKING_TOOLS } from './book.ts'
import { FIND_TOOLS } from './find.ts'
import { HOLD_TOOLS } from './hold.ts'
import { ORGANIZATION_TOOLS } from './of-organization.ts'
import type { Tool } from './tool.ts'
import { WAIT_TOOLS } from './wait.ts'

/** In the order in which an agent needs them. */
export const TOOLS: readonly Tool[] = [
  ...FIND_TOOLS,
  ...HOLD_TOOLS,
  ...BOOKING_TOOLS,
  ...WAIT_TOOLS,
  ...ORGANIZATION_TOOLS,
]
