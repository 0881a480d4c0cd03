import { expect, it } from 'vitest'
import { apiFailure } from '../../src/calendars/oauth/api-failure.ts'
import { readConsentRefusal } from '../../src/calendars/oauth/consent-refusal.ts'

function failureOf(reason: string, message: string, status = 403) {
  const json = { error: { code: status, message, errors: [{ domain: 'usageLimits', reason, message }] } }
  return apiFailure('Google Calendar', status, new Headers(), json).failure
}

const limit = (name: string) =>
  `Quota exceeded for quota metric 'Queries' and limit '${name}' of service 'x'.`

it.each([
  ['dailyLimitExceeded', 'Daily Limit Exceeded', 'misconfigured'],
  ['rateLimitExceeded', limit('Queries per minute'), 'misconfigured'],
  ['rateLimitExceeded', limit('Queries per minute per user'), 'unavailable'],
  ['userRateLimitExceeded', 'User Rate Limit Exceeded', 'unavailable'],
  ['quotaExceeded', 'Calendar usage limits exceeded.', 'unavailable'],
  ['forbidden', 'Forbidden', 'refused'],
])('the limit %s (%s) is %s: only that of the project is for the operator', (reason, message, failure) => {
  expect(failureOf(reason, message)).toBe(failure)
})

it.each([900941, 900981, 650052])('AADSTS%i means that an administrator is needed', (code) => {
  const error_description = `AADSTS${code}: An administrator is required.`
  expect(readConsentRefusal({ error: 'access_denied', error_description })).toBe('administrator')
})
