import type { Env } from '../env.ts'
import type { Db } from '../platform/db/client.ts'
import type { PresentMs } from '../platform/limits/clock.ts'

/** A sweep of one sandbox, in its present. */
export type SandboxSweep = {
  readonly env: Env
  readonly db: Db
  readonly organizationId: string
  readonly present: PresentMs
  /** One page of each kind is done, and more of them until its time or its queries are over. */
  readonly isOver: () => boolean
}
