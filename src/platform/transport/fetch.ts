/** How a provider makes requests: its caller passes `send`, or what a test has instead. */
export type Fetch = (url: string, init?: RequestInit) => Promise<Response>

/** The real one. */
export const send: Fetch = (url, init) => fetch(url, init)
