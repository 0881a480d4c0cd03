import type { CreatedBy } from '../../outbox/makers/schema.ts'
import { formatInstant, formatNullable } from '../../platform/http/instants.ts'
import type { ApiKeyRow } from './queries.ts'
import type { ApiKey } from './schema.ts'

/** Only the service key makes keys: of its own, or on behalf of a member. */
function presentMaker({ memberId }: ApiKeyRow, makerName: string | null): CreatedBy {
  return memberId === null
    ? { type: 'service', id: null, name: null }
    : { type: 'member', id: memberId, name: makerName }
}

export function presentApiKey(row: ApiKeyRow, makerName: string | null): ApiKey {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    mode: row.isTest ? 'test' : 'live',
    key_prefix: row.keyPrefix,
    last_used_at: formatNullable(row.lastUsedAt),
    expires_at: formatNullable(row.expiresAt),
    created_by: presentMaker(row, makerName),
    created_at: formatInstant(row.createdAt),
    revoked_at: formatNullable(row.revokedAt),
  }
}
