import { vi } from 'vitest'

const WAIT_MS = 15_000

/** What a queue does may take a busy machine longer than the second that Vitest waits by default. */
const { waitFor } = vi
// Files share a runtime, and this runs before each of them.
if (waitFor.name !== 'waitLong')
  vi.waitFor = function waitLong(look, options) {
    return waitFor(look, typeof options === 'number' ? options : { timeout: WAIT_MS, ...options })
  }
