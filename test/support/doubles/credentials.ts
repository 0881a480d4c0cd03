/** What this service is registered with at every double. */
export const CLIENT_ID = 'client-of-the-doubles'
export const CLIENT_SECRET = 'secret of the doubles: &%+ü'
