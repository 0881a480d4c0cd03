import { type Env, withOwn } from '../../env.ts'

/** The database work of a request or a job so far, and its organization. */
export type Tally = NonNullable<Env['tally']>

export function newTally(): Tally {
  return {
    organizationId: null,
    apiKey: null,
    roundTrips: 0,
    statements: 0,
    rowsRead: 0,
    rowsWritten: 0,
    rowsReadInObject: 0,
  }
}

/** The same surroundings with a tally of their own: whatever opens the database through them is counted there. */
export function tallied(env: Env): Env & { readonly tally: Tally } {
  return withOwn(env, { tally: newTally() })
}

/** All rows that were read for a request so far, in the object of an event type too. */
export function rowsReadFor({ rowsRead, rowsReadInObject }: Tally): number {
  return rowsRead + rowsReadInObject
}

/** Adds an equal part of shared work to the tally of each of them; the first gets what is left over. */
export function divideAmong(shared: Tally, those: readonly Env[]): void {
  for (const part of ['roundTrips', 'statements', 'rowsRead', 'rowsWritten'] as const) {
    const each = Math.floor(shared[part] / those.length)
    for (const [at, { tally }] of those.entries()) {
      if (tally) tally[part] += at === 0 ? shared[part] - each * (those.length - 1) : each
    }
  }
}

/** Sets the organization of a request or job, once it is known: a call without a key does not name it. */
export function noteOrganization(
  { tally }: Pick<Env, 'tally'>,
  organizationId: string | null | undefined,
): void {
  if (tally && organizationId) tally.organizationId ??= organizationId
}
