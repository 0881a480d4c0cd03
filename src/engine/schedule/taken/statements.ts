import { preparedStatement } from '../../../platform/db/prepared.ts'
import { PACKED_NOW } from './queries.ts'

/** Packs the fortnights of a calendar that changed. */
export const packBusyTimes = preparedStatement<readonly [connectionId: string]>(
  `UPDATE packed_busy_times SET times = ${PACKED_NOW} WHERE connection_id = ?1 AND times IS NULL`,
)
