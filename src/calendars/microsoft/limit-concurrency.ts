import type { Api } from '../oauth/api.ts'

/**
 * Limits concurrent requests: Outlook takes four of an app in one mailbox. https://learn.microsoft.com/graph/throttling-limits
 */
export function limitConcurrency(api: Api, most: number): Api {
  let running = 0
  const waiting: (() => void)[] = []
  return async (request) => {
    if (running < most) running += 1
    else await new Promise<void>((go) => waiting.push(go))
    try {
      return await api(request)
    } finally {
      const next = waiting.shift()
      // Its place is taken over.
      if (next) next()
      else running -= 1
    }
  }
}
