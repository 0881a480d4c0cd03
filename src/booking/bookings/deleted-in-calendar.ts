/** The `cancel_reason` where the owner of the calendar deleted the event there. */
export const DELETED_IN_CALENDAR = 'Deleted in the calendar'
