import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that run longest, in this order. */
const LONGEST = [
  'test/e2e/console.test.ts',
  'test/e2e/pages-booking.test.ts',
  'test/e2e/docs.test.ts',
  'test/e2e/pages.test.ts',
  'test/e2e/owner.test.ts',
  'test/e2e/smoke.test.ts',
  'test/e2e/start.test.ts',
  'test/e2e/console-walk.test.ts',
  'test/e2e/text-messages.test.ts',
  'test/e2e/client.test.ts',
  'test/e2e/operating.test.ts',
  'test/e2e/import-crash.test.ts',
  'test/e2e/change-crashes.test.ts',
  'test/e2e/crash.test.ts',
  'test/e2e/payments.test.ts',
  'test/e2e/webhooks.test.ts',
  'test/routes/modes.test.ts',
  'test/money/payments.test.ts',
  'test/isolation.test.ts',
  'test/booking/waitlist.test.ts',
  'test/calendars/caldav.test.ts',
  'test/calendars/conferencing.test.ts',
  'test/booking/event-types.test.ts',
  'test/engine/versions.test.ts',
  'test/local/openapi.test.ts',
  'test/outbox/mail.test.ts',
  'test/calendars/calendars.test.ts',
  'test/routes/answers.test.ts',
  'test/routes/keys.test.ts',
  'test/routes/roles.test.ts',
  'test/delivery/webhooks.test.ts',
  'test/money/refunds.test.ts',
  'test/booking/booking-search.test.ts',
  'test/booking/time-off.test.ts',
  'test/calendars/calendar-writes.test.ts',
  'test/operations/export.test.ts',
  'test/calendars/calendar-push.test.ts',
]

/** So that nobody waits at the end for one file alone. All others by their size, as always. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rankOf = ({ moduleId }: TestSpecification) => {
      const rank = LONGEST.findIndex((file) => moduleId.endsWith(file))
      return rank === -1 ? LONGEST.length : rank
    }
    const projects = [...new Set(sorted.map(({ project }) => project))]
    return projects.flatMap((project) =>
      sorted.filter((file) => file.project === project).sort((a, b) => rankOf(a) - rankOf(b)),
    )
  }
}
