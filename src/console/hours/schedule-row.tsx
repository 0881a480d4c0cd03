import type { Schedule } from '../../booking/hours/schedules/schema.ts'
import { DAY_MS } from '../../core/time-units.ts'
import type { Member } from '../../people/team/schema.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { hoursTexts } from '../../platform/i18n/console/hours.ts'
import { weekdayText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import type { MemberRequest } from '../request.ts'
import { Sign } from '../views/icons.tsx'
import { nameOf } from './people.ts'

/** A Sunday. */
const SUNDAY = 3 * DAY_MS

type ScheduleProps = {
  readonly request: MemberRequest
  readonly schedule: Schedule
  readonly members: readonly Member[]
}

/** The hours of somebody, or of the organization, in a line. */
export function ScheduleRow({ request, schedule, members }: ScheduleProps) {
  const { locale } = request.page
  const texts = textsOf(locale, hoursTexts)
  const owner = members.find(({ id }) => id === schedule.member_id)
  const days = [1, 2, 3, 4, 5, 6, 0]
    .filter((day) => schedule.rules.some((rule) => rule.day_of_week === day))
    .map((day) => weekdayText(locale, SUNDAY + day * DAY_MS, 'short'))
  const facts = [
    owner ? fill(texts.of, { name: nameOf(owner) }) : texts.ofOrganization,
    days.join(', ') || texts.closedAllWeek,
    schedule.timezone.replaceAll('_', ' '),
  ]
  return (
    <li class="wraps">
      <div>
        <a class="row-link" href={`/console/hours/${schedule.id}`}>
          <bdi>{schedule.name}</bdi>
        </a>
        <p class="soft">{facts.join(' · ')}</p>
      </div>
      <div class="row-end">
        {schedule.is_default && <span class="badge good">{texts.isDefault}</span>}
        <Sign name="next" />
      </div>
    </li>
  )
}
