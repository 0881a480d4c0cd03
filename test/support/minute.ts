import { onTestFinished, vi } from 'vitest'

const MINUTE_MS = 60_000

function leftOfMinute(): number {
  return MINUTE_MS - (Date.now() % MINUTE_MS)
}

/**
 * Sets the clock of this isolate on to the next UTC minute, until the test ends, when fewer than `seconds` are left of
 * this one, so that a count stays in one window.
 */
export function stayInOneMinute(seconds = 5): void {
  const left = leftOfMinute()
  if (left >= seconds * 1000) return
  const now = Date.now.bind(Date)
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + left)
  onTestFinished(() => clock.mockRestore())
}

/** Waits for it: the limiters of the runtime have a clock of their own. */
export async function stayInOneRealMinute(seconds: number): Promise<void> {
  const left = leftOfMinute()
  if (left < seconds * 1000) await new Promise((resolve) => setTimeout(resolve, left + 50))
}
