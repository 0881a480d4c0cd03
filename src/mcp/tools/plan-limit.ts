/** What an agent does when the plan's month is used up. */
export const NO_MORE = 'Tell the user that this organization can take no more bookings until next month.'
