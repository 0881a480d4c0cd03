import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that run longest, in this order. */
const LONGEST = [
  'test/e2e/console.test.ts',
  'test/e2e/owner.test.ts',
  'test/e2e/pages-booking.test.ts',
  'test/e2e/pages.test.ts',
  'test/e2e/start.test.ts',
  'test/e2e/client.test.ts',
  'test/e2e/docs.test.ts',
  'test/e2e/webhooks.test.ts',
  'test/e2e/console-walk.test.ts',
  'test/e2e/operating.test.ts',
  'test/e2e/payments.test.ts',
  'test/engine/versions.test.ts',
  'test/routes/modes.test.ts',
  'test/booking/waitlist.test.ts',
  'test/money/payments.test.ts',
  'test/routes/answers.test.ts',
  'test/money/payments-walk.test.ts',
  'test/calendars/conferencing.test.ts',
  'test/routes/keys.test.ts',
  'test/calendars/caldav.test.ts',
  'test/delivery/webhooks.test.ts',
  'test/routes/roles.test.ts',
  'test/calendars/calendar-push.test.ts',
  'test/people/team.test.ts',
  'test/money/refunds.test.ts',
  'test/booking/booking-races.test.ts',
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
