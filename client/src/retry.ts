const FIRST_MS = 500
/** Whoever asks for a longer pause gets no second call. */
const LONGEST_MS = 30_000

/** How long to wait before a call is repeated, in milliseconds; null where it is not. `Retry-After` comes first. */
export function waitBefore(tries: number, response: Response | null): number | null {
  const asked = response?.headers.get('Retry-After') ?? null
  if (asked === null) return FIRST_MS * 2 ** tries * (0.75 + Math.random() / 2)
  const pause = /^\d+$/.test(asked) ? Number(asked) * 1000 : Date.parse(asked) - Date.now()
  if (Number.isNaN(pause)) return FIRST_MS
  return pause > LONGEST_MS ? null : Math.max(0, pause)
}

/** Waits so long, or until `signal` ends it. */
export function pauseFor(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    if (signal?.aborted) end()
    else signal?.addEventListener('abort', end)
  })
}
