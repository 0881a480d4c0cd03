import type { CalendarConnection } from '../../calendars/schema.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { calendarsTexts } from '../../platform/i18n/console/calendars.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { pluralText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import type { MemberRequest } from '../request.ts'
import { Form } from '../views/form.tsx'
import { Sign } from '../views/icons.tsx'
import { providerName, wayOf } from './providers.ts'
import { stateOf } from './state.ts'
import { UseForm } from './use-form.tsx'
import { mayChange, mayChangeCalendar } from './whose.ts'

type Props = {
  readonly request: MemberRequest
  readonly connections: readonly [CalendarConnection, ...CalendarConnection[]]
}

/** An account with what is connected of it. */
export function AccountCard({ request, connections }: Props) {
  const [first] = connections
  const texts = textsOf(request.page.locale, calendarsTexts)
  const isFeed = first.provider === 'ics'
  return (
    <section class="panel account" aria-label={`${providerName(request, first)} ${first.account_email}`}>
      <div class="head-line">
        <div class="with-sign">
          <Sign name={isFeed ? 'link' : 'calendar'} />
          <div>
            <h3>
              <bdi>{first.account_email}</bdi>
            </h3>
            <p class="soft">{providerName(request, first)}</p>
          </div>
        </div>
        <div class="actions">
          {mayChange(request, first.member_id) && needsReconnecting(request, connections) && (
            <Reconnect request={request} connection={first} />
          )}
          {mayChange(request, first.member_id) && !isFeed && (
            <a class="button soft-button" href={`/console/calendars/accounts/${first.account_id}`}>
              {texts.otherCalendars}
              <span class="unseen">: {first.account_email}</span>
            </a>
          )}
        </div>
      </div>
      <ul class="inner-rows">
        {connections.map((connection) => (
          <CalendarRow key={connection.id} request={request} connection={connection} />
        ))}
      </ul>
    </section>
  )
}

function needsReconnecting(request: MemberRequest, connections: readonly CalendarConnection[]): boolean {
  return connections.some((connection) => stateOf(request, connection).needsReconnecting)
}

/** Leads to where such an account is connected, for the same member. */
function Reconnect({
  request,
  connection,
}: {
  readonly request: MemberRequest
  readonly connection: CalendarConnection
}) {
  const { reconnect } = textsOf(request.page.locale, calendarsTexts)
  const way = wayOf(connection)
  const member = connection.member_id ?? ''
  if (way === 'google' || way === 'microsoft') {
    return (
      <Form request={request} action={`/console/calendars/connect/${way}`} hidden={{ member }} class="inline">
        <button type="submit" class="button">
          {reconnect}
        </button>
      </Form>
    )
  }
  const { server_url: server } = connection.provider_metadata
  const query = new URLSearchParams({
    member,
    server,
    username: connection.account_email,
  })
  const whose = connection.resource_id ? `resource=${connection.resource_id}` : `member=${member}`
  const to = way === 'feedIn' ? `feed?${whose}` : `${way}?${query}`
  return (
    <a class="button" href={`/console/calendars/connect/${to}`}>
      {reconnect}
    </a>
  )
}

function CalendarRow({
  request,
  connection,
}: {
  readonly request: MemberRequest
  readonly connection: CalendarConnection
}) {
  const { page, member } = request
  const { locale } = page
  const texts = textsOf(locale, calendarsTexts)
  const { id, name, owner, upcoming_booking_count: upcoming } = connection
  const state = stateOf(request, connection)
  const maySync = isRolePermitted(member.role, 'book')
  const facts = [
    state.read,
    !connection.checks_busy ? texts.ignored : connection.everybody ? texts.everybody : texts.checksBusy,
    ...(connection.receives_bookings ? [texts.receives] : []),
    ...(owner === null ? [] : [fill(texts.calendarOf, { owner })]),
    ...(upcoming > 0 ? [pluralText(locale, texts.upcoming, upcoming)] : []),
  ]
  return (
    <li id={id}>
      <div class="head-line">
        <div>
          <strong>
            <bdi>{name}</bdi>
          </strong>{' '}
          <span class={`badge ${state.tone}`}>{state.name}</span>
          <p class="soft">{facts.join(' · ')}</p>
        </div>
        <div class="actions">
          {maySync && !state.needsReconnecting && (
            <Form request={request} action={`/console/calendars/${id}/sync`} class="inline">
              <button type="submit" class="soft-button">
                {texts.syncNow}
                <span class="unseen">: {name}</span>
              </button>
            </Form>
          )}
          {mayChangeCalendar(request, connection) && (
            <a class="button ghost-link" href={`/console/calendars/${id}/disconnect`}>
              {texts.disconnect}
              <span class="unseen">: {name}</span>
            </a>
          )}
        </div>
      </div>
      {(state.text || state.why) && (
        <div
          class={state.tone === 'good' ? 'band' : state.tone === 'bad' ? 'band bad-band' : 'band test-band'}
        >
          {state.text && <p>{state.text}</p>}
          {state.why && <p>{state.why}</p>}
        </div>
      )}
      {mayChangeCalendar(request, connection) && <UseForm request={request} connection={connection} />}
    </li>
  )
}
