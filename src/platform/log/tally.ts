import { type Env, withOwn } from '../../env.ts'

/** What a request or a job asked of the database so far, and for whom. */
export type Tally = NonNullable<Env['tally']>

/** The same surroundings with a tally of their own: whatever opens the database through them is counted there. */
export function tallied(env: Env): Env & { readonly tally: Tally } {
  const tally: Tally = { organizationId: null, apiKey: null, roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
  return withOwn(env, { tally })
}

/** Says whose request or job it is, once that is known: whoever calls without a key does not say so. */
export function noteOrganization(
  { tally }: Pick<Env, 'tally'>,
  organizationId: string | null | undefined,
): void {
  if (tally && organizationId) tally.organizationId ??= organizationId
}
