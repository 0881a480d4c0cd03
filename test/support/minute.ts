const MINUTE_MS = 60_000

/** Waits for the next UTC minute when fewer than `seconds` are left of this one, so that a count stays in one window. */
export async function stayInOneMinute(seconds = 5): Promise<void> {
  const left = MINUTE_MS - (Date.now() % MINUTE_MS)
  if (left < seconds * 1000) await new Promise((resolve) => setTimeout(resolve, left + 50))
}
