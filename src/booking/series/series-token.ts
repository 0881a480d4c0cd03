import { type Env, urlAt } from '../../env.ts'
import { isTokenFor, tokenFor } from '../../platform/auth/secret.ts'

function subjectOf(seriesId: string): string {
  return `series/${seriesId}`
}

/** Lets its bearer read and cancel the series. It is derived, so no row stores it. */
export function seriesTokenFor(env: Env, seriesId: string): Promise<string> {
  return tokenFor(env.ENCRYPTION_KEY, subjectOf(seriesId))
}

export function isSeriesToken(env: Env, seriesId: string, token: string): Promise<boolean> {
  return isTokenFor(env.ENCRYPTION_KEY, subjectOf(seriesId), token)
}

/** The page on which the invitee sees the series and cancels it. Anyone with the link can. */
export async function seriesUrl(env: Env, seriesId: string): Promise<string> {
  return urlAt(env, `/bookings/series/${seriesId}?token=${await seriesTokenFor(env, seriesId)}`)
}
