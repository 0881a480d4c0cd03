import type { Env } from '../env.ts'
import type { Db } from '../platform/db/client.ts'
import type { PresentMs } from '../platform/limits/clock.ts'

/** A visit to a sandbox, in which what is due there by its present is done. */
export type SandboxSweep = {
  readonly env: Env
  readonly db: Db
  readonly organizationId: string
  readonly present: PresentMs
  /** One page of each kind is done, and more of them until then by the real clock. */
  readonly until: number
}
