import { decidableOf } from '../../booking/bookings/approval/may-decide.ts'
import { requestsOf } from '../../booking/bookings/list/agenda.ts'
import { eventTypeRoutes } from '../../booking/event-types/routes.ts'
import { waitlistRoutes } from '../../booking/waitlist/routes.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { bookingFormTexts } from '../../platform/i18n/console/booking-forms.ts'
import { bookingListTexts } from '../../platform/i18n/console/booking-lists.ts'
import { bookingsTexts } from '../../platform/i18n/console/bookings.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { sessionTexts } from '../../platform/i18n/console/sessions.ts'
import { shellTexts } from '../../platform/i18n/console/shell.ts'
import { callerOf, need } from '../ask.ts'
import { listAll } from '../list-all.ts'
import type { MemberRequest } from '../request.ts'
import type { Trouble } from '../trouble.ts'
import { GetForm } from '../views/get-form.tsx'
import { Sign } from '../views/icons.tsx'
import { shell } from '../views/shell.tsx'
import { Tabs } from '../views/tabs.tsx'
import { Agenda } from './agenda.tsx'
import { ChosenForm, doneToChosen } from './chosen-form.tsx'
import { doneIn } from './done.ts'
import { loadNarrowed, NarrowForm, narrowedSearch } from './narrowed.tsx'
import { Requests } from './requests.tsx'
import { A_PAGE, agendaFor, VIEWS, type View, viewIn } from './views.ts'
import { Line } from './waiting.tsx'

/** What is booked, was, and is waited for. */
export function showBookings(request: MemberRequest): Promise<Response> {
  return bookingList(request)
}

/** The same with what is wrong with the form for several bookings. */
export async function bookingList(
  request: MemberRequest,
  trouble?: Trouble,
  status = 200,
): Promise<Response> {
  const { page, member } = request
  const texts = textsOf(page.locale, bookingsTexts)
  const { all } = textsOf(page.locale, bookingListTexts)
  const shared = textsOf(page.locale, shellTexts)
  const view = viewIn(page.url)
  const mayBook = isRolePermitted(member.role, 'book')
  return shell({
    request,
    title: texts.title,
    status,
    done: doneToChosen(request) ?? doneIn(request),
    actions: (
      <>
        <a
          class="button soft-button"
          href={`/console/bookings/download${view === 'all' ? narrowedSearch(request) : `?view=${view}`}`}
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
        {view !== 'all' && <SearchForm request={request} />}
        <Tabs
          label={texts.views}
          parts={VIEWS.map((one) => [addressOf(one), one === 'all' ? all : texts[one]] as const)}
          here={addressOf(view)}
        />
        {await shown(request, view, trouble)}
        {page.url.searchParams.has('after') && (
          <p>
            <a href={view === 'all' ? `/console/bookings${narrowedSearch(request)}` : addressOf(view)}>
              {shared.newest}
            </a>
          </p>
        )}
      </>
    ),
  })
}

function SearchForm({ request: { page } }: { readonly request: MemberRequest }) {
  const texts = textsOf(page.locale, bookingsTexts)
  return (
    <search>
      <GetForm action="/console/bookings" class="search">
        <div class="field">
          <label for="q" class="unseen">
            {texts.search}
          </label>
          <input type="search" id="q" name="q" placeholder={texts.search} maxLength={100} />
        </div>
        <button type="submit" class="soft-button">
          <Sign name="search" />
          {texts.find}
        </button>
      </GetForm>
    </search>
  )
}

async function shown(request: MemberRequest, view: View, trouble: Trouble | undefined) {
  const { page } = request
  const texts = textsOf(page.locale, bookingsTexts)
  const { more } = textsOf(page.locale, shellTexts)
  const after = page.url.searchParams.get('after')
  const here = view === 'all' ? `/console/bookings${narrowedSearch(request)}` : addressOf(view)
  const next = (to: string) => (
    <p>
      <a class="button soft-button" href={`${here}&after=${to}`}>
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
        <Requests request={request} requests={data} decidable={decidable} areChosen />
        {decidable.size > 0 && <ChosenForm request={request} act="approve" trouble={trouble} />}
        {hasMore && next(data.at(-1)!.id)}
      </>
    )
  }
  if (view === 'all') {
    const narrowed = await loadNarrowed(request)
    const { bookings, hasMore } = narrowed
    return (
      <>
        <NarrowForm request={request} {...narrowed} />
        <Agenda
          request={request}
          bookings={bookings}
          nothing={textsOf(page.locale, bookingListTexts).nothing}
          showsDate
          areChosen
        />
        {bookings.length > 0 && <ChosenForm request={request} act="cancel" trouble={trouble} />}
        {hasMore && next(bookings.at(-1)!.id)}
      </>
    )
  }
  const agenda = await agendaFor(request, view)
  const canCancel = view === 'today' || view === 'upcoming'
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
        areChosen={canCancel}
      />
      {canCancel && agenda.data.length > 0 && <ChosenForm request={request} act="cancel" trouble={trouble} />}
      {agenda.next && next(`${agenda.next.start}_${agenda.next.id}`)}
    </>
  )
}

function addressOf(view: View): string {
  return `/console/bookings?view=${view}`
}
