import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that run longest, in this order. */
const LONGEST = [
  'test/e2e/console.test.ts',
  'test/e2e/pages.test.ts',
  'test/e2e/pages-booking.test.ts',
  'test/e2e/confirm-crashes.test.ts',
  'test/e2e/payments.test.ts',
  'test/e2e/docs.test.ts',
  'test/routes/modes.test.ts',
  'test/routes/roles.test.ts',
  'test/routes/answers.test.ts',
  'test/routes/keys.test.ts',
  'test/booking/storm.test.ts',
  'test/booking/explained-calls.test.ts',
  'test/booking/hours-storm.test.ts',
  'test/booking/changes-storm.test.ts',
  'test/money/payments-walk.test.ts',
  'test/calendars/calendar-storm.test.ts',
  'test/calendars/caldav-large.test.ts',
  'test/engine/versions.test.ts',
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
