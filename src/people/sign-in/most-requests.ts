/** How many requests the navigation counts; it shows that there are more. */
export const MOST_REQUESTS = 100
