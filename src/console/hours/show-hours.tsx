import { findUnhosted } from '../../booking/hosts/find-unhosted.ts'
import { scheduleRoutes } from '../../booking/hours/schedules/routes.ts'
import { timeOffRoutes } from '../../booking/hours/time-off/routes.ts'
import { dateInZone, formatDate, startOfDateIn } from '../../core/local-time.ts'
import { DAY_MS } from '../../core/time-units.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { hoursTexts } from '../../platform/i18n/console/hours.ts'
import { shellTexts } from '../../platform/i18n/console/shell.ts'
import { shortDayText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { sharedEnv } from '../ask.ts'
import { listAll } from '../list-all.ts'
import type { MemberRequest } from '../request.ts'
import { Sign } from '../views/icons.tsx'
import { shell } from '../views/shell.tsx'
import { Affected, loadAffected } from './affected.tsx'
import { loadMembers } from './people.ts'
import { ScheduleRow } from './schedule-row.tsx'
import { mondayOf } from './time-off.tsx'
import { TimeOffRow } from './time-off-row.tsx'
import { UnhostedNote } from './unhosted.tsx'

/** How many weeks can be closed with two clicks. */
const WEEKS = [0, 1, 2, 3] as const
/** Everybody's hours, and who is off from today on. */
export async function showHours(request: MemberRequest): Promise<Response> {
  const { page, now, zone, member } = request
  const { locale } = page
  const texts = textsOf(locale, hoursTexts)
  const today = dateInZone(zone, now)
  // An instant, since what a date is in the zone of the organization would be looked up first.
  const from = new Date(startOfDateIn(zone, today)).toISOString()
  const [schedules, off, members, affected, unhosted] = await Promise.all([
    listAll(request, scheduleRoutes.listSchedules),
    listAll(request, timeOffRoutes.listTimeOff, { from }),
    loadMembers(request),
    loadAffected(request),
    findUnhosted(sharedEnv(request), request),
  ])
  const ofPeople = off.filter(({ resource_id }) => resource_id === null)
  const mayWrite = isRolePermitted(member.role, 'book')
  return shell({
    request,
    title: texts.title,
    lead: texts.lead,
    done: doneIn(request),
    children: (
      <>
        <Affected request={request} bookings={affected} />
        {mayWrite && (
          <section class="panel">
            <header>
              <h2>{texts.closeWeek}</h2>
              <p class="soft">{texts.closeWeekText}</p>
            </header>
            <div class="form-end">
              {WEEKS.map((at) => {
                const monday = mondayOf(today) + at * 7 * DAY_MS
                const days = {
                  from: shortDayText(locale, monday),
                  to: shortDayText(locale, monday + 6 * DAY_MS),
                }
                const name = [texts.thisWeek, texts.nextWeek][at]
                return (
                  <a
                    key={at}
                    class="button soft-button"
                    href={`/console/hours/week?from=${formatDate(monday)}`}
                  >
                    {name ?? fill(texts.days, days)}
                  </a>
                )
              })}
            </div>
          </section>
        )}
        <section class="part">
          <div class="head-line">
            <h2>{texts.schedules}</h2>
            {mayWrite && (
              <a class="button soft-button" href="/console/hours/new">
                <Sign name="plus" />
                {texts.newSchedule}
              </a>
            )}
          </div>
          <p class="soft">{texts.schedulesLead}</p>
          {mayWrite && schedules.length > 0 && (
            <p>
              <a href="/console/hours/block">{texts.blockWeekly}</a>
            </p>
          )}
          {schedules.length === 0 ? (
            <p class="empty">{texts.noSchedules}</p>
          ) : (
            <ul class="rows">
              {schedules.map((schedule) => (
                <ScheduleRow key={schedule.id} request={request} schedule={schedule} members={members} />
              ))}
            </ul>
          )}
        </section>
        <section class="part">
          <div class="head-line">
            <h2>{texts.timeOff}</h2>
            {mayWrite && (
              <a class="button soft-button" href="/console/hours/time-off">
                <Sign name="plus" />
                {texts.takeOff}
              </a>
            )}
          </div>
          <p class="soft">{texts.timeOffLead}</p>
          <UnhostedNote request={request} eventTypes={unhosted} />
          {ofPeople.length === 0 ? (
            <p class="empty">{texts.noTimeOff}</p>
          ) : (
            <ul class="rows">
              {ofPeople
                .toSorted((a, b) => (a.start < b.start ? -1 : 1))
                .map((one) => (
                  <TimeOffRow key={one.id} request={request} timeOff={one} members={members} />
                ))}
            </ul>
          )}
        </section>
      </>
    ),
  })
}

function doneIn({ page }: MemberRequest): string | undefined {
  const texts = textsOf(page.locale, hoursTexts)
  switch (page.url.searchParams.get('done')) {
    case 'saved':
      return textsOf(page.locale, shellTexts).saved
    case 'taken':
      return texts.takenDone
    case 'removed':
      return texts.removedDone
    case 'deleted':
      return texts.deletedDone
    default:
      return undefined
  }
}
