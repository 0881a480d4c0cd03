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

/** Does what is due in pages, each after the last entry of the one before, until there is no more or the time is up. */
export async function sweepInPages<Due>(
  { isOver }: SandboxSweep,
  select: (last?: Due) => PromiseLike<readonly Due[]>,
  act: (due: readonly Due[]) => Promise<void>,
): Promise<void> {
  let due = await select()
  while (due.length > 0) {
    await act(due)
    if (isOver()) return
    due = await select(due.at(-1))
  }
}
