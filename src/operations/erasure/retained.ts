import type { Tenant } from '../../platform/auth/caller.ts'
import type { Db } from '../../platform/db/client.ts'
import type { Person } from './person.ts'
import { selectRetainedTexts } from './queries.ts'
import type { Kept } from './schema.ts'

/** Why what an organization has of an address itself is not erased with the person. */
const WHY = {
  members: 'They are a member of the organization. Remove the membership to end it.',
  invitations: 'They were invited. An invitation that ended is deleted after the retention time.',
  calendars: 'A member connected a calendar with this address. It goes when it is disconnected.',
  conferencing: 'A member connected a meeting account with this address. It goes when it is disconnected.',
  event_types: 'Members wrote the address into an event type. Change it there.',
  schedules: 'Members wrote the address into the name of a schedule. Change it there.',
  api_keys:
    'Members wrote the address into the name or description of a key. A revoked key is deleted after the retention time.',
  webhook_endpoints: 'Members wrote the address into a webhook endpoint. Change it there.',
} as const

/** What no erasure reaches. */
const BEYOND = [
  {
    what: 'sent',
    why: 'What was sent by email, to calendars, webhooks or the payment provider is with those who got it.',
  },
  { what: 'answers', why: 'Sealed answers of other people who came alone are not searched.' },
  { what: 'backups', why: 'Backups of the operator hold it until they are deleted.' },
] as const satisfies readonly Kept[]

/** Each thing that may be kept. */
export type RetainedKind = keyof typeof WHY | (typeof BEYOND)[number]['what']

/** What of the organization's own names the address and stays. */
export async function keptOf(db: Db, tenant: Tenant, person: Person): Promise<Kept[]> {
  const [found] = await selectRetainedTexts(db, tenant.organizationId, Number(tenant.isTest), person.needle)
  return (Object.keys(WHY) as (keyof typeof WHY)[])
    .filter((what) => (JSON.parse(found![what]!) as string[]).some(person.isIn))
    .map((what) => ({ what, why: WHY[what] }))
}

/** The same with what stays in any case, where there was something of them. */
export function withOutOfReach(kept: readonly Kept[]): Kept[] {
  return [...kept, ...BEYOND]
}
