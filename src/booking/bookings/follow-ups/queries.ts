import { asc, lte } from 'drizzle-orm'
import type { Db } from '../../../platform/db/client.ts'
import { handovers } from '../../../platform/db/schema/records.ts'

/** The handover that is over before then: no Worker of the version before runs any more. */
export function selectHandovers(db: Db, before: number) {
  return db
    .select()
    .from(handovers)
    .where(lte(handovers.since, before))
    .orderBy(asc(handovers.since))
    .limit(1)
}
