/** The version of the API's documented surface. */
export const VERSION = '1.0.0'
