import { type Env, urlAt } from '../../env.ts'
import type { Tenant } from '../../platform/auth/caller.ts'
import { isTokenFor, tokenFor } from '../../platform/auth/secret.ts'
import type { Db } from '../../platform/db/client.ts'
import { getSlug } from './queries.ts'
import type { OwnEventType } from './schema.ts'

/** Adds the preview link to test event types, whose pages only this link opens. One more query, for test data only. */
export async function withPreviews(
  db: Db,
  env: Env,
  tenant: Tenant,
  eventTypes: readonly OwnEventType[],
): Promise<(OwnEventType & { preview_url: string | null })[]> {
  if (!tenant.isTest || eventTypes.length === 0)
    return eventTypes.map((one) => ({ ...one, preview_url: null }))
  const orgSlug = await getSlug(db, tenant.organizationId)
  return Promise.all(
    eventTypes.map(async (one) => {
      const token = await tokenFor(env.ENCRYPTION_KEY, subjectOf(one.id))
      return { ...one, preview_url: urlAt(env, `/book/${orgSlug}/${one.slug}?preview=${token}`) }
    }),
  )
}

/** Whether the token is of this event type's preview link. */
export function isPreviewOf(env: Env, eventTypeId: string, token: string): Promise<boolean> {
  return isTokenFor(env.ENCRYPTION_KEY, subjectOf(eventTypeId), token)
}

function subjectOf(eventTypeId: string): string {
  return `preview/${eventTypeId}`
}
