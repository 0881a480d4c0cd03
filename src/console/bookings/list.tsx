import { decidableOf } from '../../booking/bookings/approval/may-decide.ts'
import { findBookings, requestsOf } from '../../booking/bookings/list/agenda.ts'
import { eventTypeRoutes } from '../../booking/event-types/routes.ts'
import { waitlistRoutes } from '../../booking/waitlist/routes.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { bookingFormTexts } from '../../platform/i18n/console/booking-forms.ts'
import { bookingsTexts } from '../../platform/i18n/console/bookings.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { sessionTexts } from '../../platform/i18n/console/sessions.ts'
import { shellTexts } from '../../platform/i18n/console/shell.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { callerOf, need } from '../ask.ts'
import { listAll } from '../list-all.ts'
import type { MemberRequest } from '../request.ts'
import { Sign } from '../views/icons.tsx'
import { shell } from '../views/shell.tsx'
import { Tabs } from '../views/tabs.tsx'
import { Agenda } from './agenda.tsx'
import { doneIn } from './done.ts'
import { Requests } from './requests.tsx'
import { A_PAGE, agendaFor, VIEWS, type View, viewIn } from './views.ts'
import { Line } from './waiting.tsx'

/** What is booked, was, and is waited for. */
export async function showBookings(request: MemberRequest): Promise<Response> {
  const { page, member } = request
  const texts = textsOf(page.locale, bookingsTexts)
  const shared = textsOf(page.locale, shellTexts)
  const text = (page.url.searchParams.get('q') ?? '').trim().slice(0, 100)
  const view = viewIn(page.url)
  const mayBook = isRolePermitted(member.role, 'book')
  return shell({
    request,
    title: texts.title,
    done: doneIn(request),
    actions: (
      <>
        <a
          class="button soft-button"
          href={`/console/bookings/download?view=${view}`}
          download={`bookings-${view}.csv`}
        >
          {texts.download}
        </a>
        <a class="button soft-button" href="/console/bookings/sessions">
          {textsOf(page.locale, sessionTexts).title}
        </a>
        {mayBook && view === 'waitlist' && (
          <a class="button soft-button" href="/console/bookings/waitlist/new">
            {textsOf(page.locale, bookingFormTexts).addToWaitlist}
          </a>
        )}
        {mayBook && (
          <a class="button" href="/console/bookings/new">
            <Sign name="plus" />
            {texts.bookFor}
          </a>
        )}
      </>
    ),
    children: (
      <>
        <search>
          <form method="get" action="/console/bookings" class="search">
            <div class="field">
              <label for="q" class="unseen">
                {texts.search}
              </label>
              <input type="search" id="q" name="q" value={text} placeholder={texts.search} maxLength={100} />
            </div>
            <button type="submit" class="soft-button">
              <Sign name="search" />
              {texts.find}
            </button>
          </form>
        </search>
        {text === '' && (
          <Tabs
            label={texts.views}
            parts={VIEWS.map((one) => [addressOf(one), texts[one]] as const)}
            here={addressOf(view)}
          />
        )}
        {text === '' ? (
          await shown(request, view)
        ) : (
          <>
            <p>
              <strong>{fill(texts.found, { text })}</strong> <a href="/console/bookings">{texts.clear}</a>
              <br />
              <span class="soft">{texts.foundHint}</span>
            </p>
            <Agenda
              request={request}
              bookings={await findBookings(page.ctx.env, request, text)}
              nothing={texts.nothingFound}
              showsDate
            />
          </>
        )}
        {page.url.searchParams.has('after') && (
          <p>
            <a href={addressOf(view)}>{shared.newest}</a>
          </p>
        )}
      </>
    ),
  })
}

async function shown(request: MemberRequest, view: ReturnType<typeof viewIn>) {
  const { page } = request
  const texts = textsOf(page.locale, bookingsTexts)
  const { more } = textsOf(page.locale, shellTexts)
  const after = page.url.searchParams.get('after')
  const next = (to: string) => (
    <p>
      <a class="button soft-button" href={`${addressOf(view)}&after=${to}`}>
        {more}
      </a>
    </p>
  )
  const isId = after !== null && /^[0-9a-f-]{36}$/.test(after)
  if (view === 'waitlist') {
    const query = { limit: String(A_PAGE), status: 'waiting', ...(isId && { starting_after: after }) }
    const [{ data, has_more }, eventTypes] = await Promise.all([
      need(request, waitlistRoutes.listWaitlist, { query }),
      listAll(request, eventTypeRoutes.listEventTypes),
    ])
    return (
      <>
        <Line
          request={request}
          entries={data}
          titles={new Map(eventTypes.map(({ id, title }) => [id, title]))}
        />
        {has_more && next(data.at(-1)!.id)}
      </>
    )
  }
  if (view === 'requests') {
    const part = { now: request.now, after: isId ? after : null, limit: A_PAGE }
    const { env } = page.ctx
    const { data, hasMore } = await requestsOf(env, request, part)
    const decidable = await decidableOf(
      env,
      callerOf(request),
      data.map(({ id }) => id),
    )
    return (
      <>
        <Requests request={request} requests={data} decidable={decidable} />
        {hasMore && next(data.at(-1)!.id)}
      </>
    )
  }
  const agenda = await agendaFor(request, view)
  const nothing = {
    today: texts.nothingToday,
    upcoming: texts.nothingUpcoming,
    past: texts.nothingPast,
    cancelled: texts.nothingCancelled,
  }[view]
  return (
    <>
      <Agenda
        request={request}
        bookings={agenda.data}
        nothing={nothing}
        showsDate={view === 'cancelled'}
        advice={view === 'upcoming' ? texts.nothingUpcomingText : undefined}
      />
      {agenda.next && next(`${agenda.next.start}_${agenda.next.id}`)}
    </>
  )
}

function addressOf(view: View): string {
  return `/console/bookings?view=${view}`
}
