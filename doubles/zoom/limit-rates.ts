import type { Reply } from '../world.ts'
import { refuse } from './answer-errors.ts'
import type { User, Zoom } from './state.ts'

export type Label = 'Light' | 'Medium'

/** A second, an account: developers.zoom.us/docs/api/rate-limits */
const PER_SECOND: Readonly<Record<Zoom['settings']['plan'], Readonly<Record<Label, number>>>> = {
  free: { Light: 4, Medium: 2 },
  pro: { Light: 30, Medium: 20 },
  business: { Light: 80, Medium: 60 },
}

/** Counts the request; its answer's headers, or the refusal. All apps of an account share this. */
export function limitSecond(
  zoom: Zoom,
  user: User,
  label: Label,
  now: number,
): { headers: Record<string, string>; refusal: Reply | null } {
  const key = `${user.accountId} ${label} ${Math.floor(now / 1000)}`
  const limit = PER_SECOND[zoom.settings.plan][label]
  const count = (zoom.seconds.get(key) ?? 0) + 1
  zoom.seconds.set(key, count)
  if (zoom.seconds.size > 500)
    for (const old of [...zoom.seconds.keys()].slice(0, 400)) zoom.seconds.delete(old)
  const headers = {
    'X-RateLimit-Category': label,
    'X-RateLimit-Type': 'QPS',
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(Math.max(0, limit - count)),
  }
  if (count <= limit) return { headers, refusal: null }
  // No Retry-After: a second is over soon. devforum.zoom.us/t/differentiation-of-429-errors/14899
  const message = 'You have reached the maximum per-second rate limit for this API. Try again later.'
  return { headers, refusal: { ...refuse(429, 429, message), headers } }
}

/**
 * Making and changing share 100 a host and day of UTC, whichever meeting it is; deleting does not count.
 * devforum.zoom.us/t/rate-limits-which-ones-apply/19474, …/does-meeting-requests-per-day-rate-limits-include-delete-meeting/59670
 */
export function limitDay(
  zoom: Zoom,
  user: User,
  label: Label,
  now: number,
): { headers: Record<string, string>; refusal: Reply | null } {
  const limit = zoom.settings.dailyMeetingRequests
  const day = new Date(now).toISOString().slice(0, 10)
  if (user.daily.day !== day) user.daily = { day, count: 0 }
  const isOver = user.daily.count >= limit
  if (!isOver) user.daily.count++
  const headers: Record<string, string> = {
    'X-RateLimit-Category': label,
    'X-RateLimit-Type': 'Daily-limit',
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(limit - user.daily.count),
  }
  if (!isOver) return { headers, refusal: null }
  return {
    headers,
    refusal: {
      ...refuse(
        429,
        429,
        `You have exceeded the daily rate limit (${limit}) of Meeting Create/Update API requests permitted for this particular user. You may resume these requests at GMT 00:00:00.`,
      ),
      headers:
        zoom.settings.dailyLimitHeaders === 'documented'
          ? { ...headers, 'Retry-After': nextMidnight(now) }
          : { 'X-RateLimit-Category': 'Light', 'X-RateLimit-Limit': '6000', 'X-RateLimit-Remaining': '5893' },
    },
  }
}

/**
 * A time as in ISO 8601, neither of the forms of RFC 9110: developers.zoom.us/docs/api/rate-limits (`2020-05-31T00:00:00Z`).
 * Users see no such header, and numbers of another limit:
 * devforum.zoom.us/t/zoom-api-create-meeting-api-rate-limit-sample-error-when-breaching-limit/18928
 */
function nextMidnight(now: number): string {
  const midnight = Math.floor(now / 86_400_000 + 1) * 86_400_000
  return new Date(midnight).toISOString().replace('.000', '')
}
