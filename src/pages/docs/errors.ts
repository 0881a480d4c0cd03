import { CONFLICTS, RULES } from '../../platform/http/errors.ts'
import { ERRORS, type ErrorCode } from '../../platform/reasons/error-codes.ts'

/** What to do about it. */
const ADVICE: Readonly<Record<ErrorCode, string>> = {
  validation_error:
    'Correct the fields that `details` names; each value is a sentence about one field. Sending it again does not help.',
  bad_request: 'The message says which rule it was. Sending it again does not help.',
  unauthorized:
    'Check the key or the token, and whether it was revoked. The header is `Authorization: Bearer <key>`. Do not retry: after sixty failures a minute you get 429.',
  forbidden:
    'Use a key of a member who may do it, or a live key for what live mode shares. `details.code` is `too_late` if an invitee moves or cancels after the notice has passed or the booking has begun.',
  org_suspended: 'Ask the operator of the service. Reading, cancelling and rescheduling still work.',
  plan_limit_exceeded:
    '`details.limit` names what is used up. Change the plan; for `bookings_per_month` you can also wait for the next month (UTC), and `GET /v1/usage` says when it begins. For all other limits, you can also delete something.',
  not_found:
    'Check the id and the mode: test keys see test data only. What belongs to others is not found either.',
  conflict:
    'For a start that is taken, book one of `details.alternatives`, with a new `Idempotency-Key`. “Still running” and “keeps changing” pass: retry in a moment.',
  booking_cap_reached: 'Request open times in another day, week or month.',
  no_host_available: 'Request open times again and book another start.',
  no_calendar_a_connection: 'Connect a Google account under `/v1/calendars/calendar_a/connect`.',
  no_calendar_b_connection: 'Connect a Microsoft 365 account under `/v1/calendars/calendar_b/connect`.',
  rate_limit_exceeded: 'Wait for `retry_after` seconds. `details.limit`, if present, names the limit.',
  internal_error: 'Try again with the same `Idempotency-Key`. If it persists, send us the `request_id`.',
  service_unavailable: 'Try again after `Retry-After` seconds, with the same `Idempotency-Key`.',
  bad_gateway: 'Try again with the same `Idempotency-Key`: nothing was booked.',
}

/** What distinguishes refusals of one code. */
const KINDS: Partial<Record<ErrorCode, readonly string[]>> = { bad_request: RULES, conflict: CONFLICTS }

/** A section for each code, whose anchor is what `doc_url` names. */
export function errorsMarkdown(): string {
  const codes = Object.keys(ERRORS) as ErrorCode[]
  const sections = codes.map((code) => {
    const { status, means } = ERRORS[code]
    const kinds = KINDS[code]?.map((kind) => `\`${kind}\``).join(', ')
    const told = kinds ? [`\`details.code\`, if present, is one of ${kinds}.`] : []
    return [`## ${code}`, `Status ${status}. ${means}`, ADVICE[code], ...told].join('\n\n')
  })
  return `# Errors

Every error has one shape. Branch on \`code\`, never on \`message\`. \`request_id\` is what we need to find the call.

\`\`\`json
{
  "error": {
    "code": "conflict",
    "message": "This time is not open.",
    "details": { "alternatives": ["2026-03-09T13:30:00.000Z"] },
    "doc_url": "{base}/docs/errors#conflict",
    "request_id": "0192f1e0-7c11-7000-8000-0d9c423b1f0a"
  }
}
\`\`\`

Retry 429, 500, 502 and 503 with the same \`Idempotency-Key\`. All other errors stay until you change something.

${sections.join('\n\n')}
`
}
