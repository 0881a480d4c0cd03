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
  'test/booking/storm.test.ts',
  'test/operations/import-calendly.test.ts',
  'test/money/payments.test.ts',
  'test/money/refunds.test.ts',
  'test/platform/round-trips.test.ts',
  'test/routes/modes.test.ts',
  'test/calendars/calendar-push.test.ts',
  'test/calendars/calendar-writes.test.ts',
  'test/delivery/webhooks.test.ts',
  'test/outbox/faults.test.ts',
  'test/platform/rows-read.test.ts',
  'test/isolation.test.ts',
  'test/money/usage.test.ts',
  'test/booking/dry-run.test.ts',
  'test/booking/waitlist.test.ts',
  'test/booking/booking-races.test.ts',
  'test/booking/event-types.test.ts',
  'test/engine/rush-worlds.test.ts',
  'test/engine/large-teams.test.ts',
  'test/engine/shared-changes.test.ts',
  'test/core/weekly-starts.test.ts',
  'test/calendars/conferencing.test.ts',
  'test/outbox/mail.test.ts',
  'test/money/refund-policy.test.ts',
  'test/calendars/caldav.test.ts',
  'test/money/subscription.test.ts',
  'test/booking/time-off.test.ts',
  'test/routes/answers.test.ts',
  'test/outbox/member-emails.test.ts',
  'test/routes/roles.test.ts',
  'test/routes/keys.test.ts',
  'test/routes/paths.test.ts',
  'test/engine/versions.test.ts',
  'test/booking/room-races.test.ts',
  'test/booking/hold-crashes.test.ts',
  'test/local/openapi.test.ts',
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
