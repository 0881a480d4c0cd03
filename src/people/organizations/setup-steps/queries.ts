import { preparedQuery } from '../../../platform/db/prepared.ts'

type Row = Readonly<Record<'calendars' | 'eventTypes' | 'hours' | 'team' | 'payments', 0 | 1>>

const OURS = 'organization_id = ?1 AND is_test = ?2'
const isMoreThanOne = (rows: string) => `(SELECT count(*) > 1 FROM (SELECT 1 FROM ${rows} LIMIT 2))`

/** What an organization has beyond its first event type. */
export const selectSetupSteps = preparedQuery<Row, readonly [organizationId: string, isTest: number]>(
  `SELECT EXISTS (SELECT 1 FROM calendar_connections WHERE ${OURS}) AS calendars,
    ${isMoreThanOne(`event_types WHERE ${OURS} AND deleted_at IS NULL`)} AS eventTypes,
    EXISTS (SELECT 1 FROM time_off WHERE ${OURS}) OR EXISTS (SELECT 1 FROM schedules WHERE ${OURS} AND updated_at > created_at)
      OR ${isMoreThanOne(`schedules WHERE ${OURS}`)} AS hours,
    ${isMoreThanOne('members WHERE organization_id = ?1')} AS team,
    EXISTS (SELECT 1 FROM payment_accounts WHERE organization_id = ?1 AND charges_enabled) AS payments`,
)
