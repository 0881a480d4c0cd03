import { formatInstant, formatNullable } from '../../http/instants.ts'
import type { ApiKeyRow } from './queries.ts'
import type { ApiKey } from './schema.ts'

export function presentApiKey(row: ApiKeyRow): ApiKey {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    mode: row.isTest ? 'test' : 'live',
    key_prefix: row.keyPrefix,
    last_used_at: formatNullable(row.lastUsedAt),
    expires_at: formatNullable(row.expiresAt),
    created_at: formatInstant(row.createdAt),
    revoked_at: formatNullable(row.revokedAt),
  }
}
