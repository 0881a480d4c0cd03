/** The `cancel_reason` of a booking whose event was deleted by the calendar's owner. */
export const DELETED_IN_CALENDAR = 'Deleted in the calendar'
