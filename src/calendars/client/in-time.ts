/**
 * What `ask` answers, or null when it takes longer than `patienceMs`. The signal ends then, for those who can break off;
 * what comes later is ignored, also a failure.
 */
export async function inTime<T>(
  patienceMs: number,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T | null> {
  const patience = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooLate = new Promise<null>((resolve) => {
    timer = setTimeout(() => {
      resolve(null)
      patience.abort()
    }, patienceMs)
  })
  try {
    return await Promise.race([ask(patience.signal), tooLate])
  } finally {
    clearTimeout(timer)
  }
}
