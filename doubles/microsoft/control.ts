import { NO_CONTROL, put, wrong } from '../controls.ts'
import type { Call, Json, Reply } from '../world.ts'
import { accountOf, addCalendar, becomeOfKind } from './accounts.ts'
import { controlEvents, knownEvents } from './control-events.ts'
import { changed, type LifecycleEvent, tellLifecycle } from './notify-changes.ts'
import type { AccountSettings } from './settings.ts'
import { tell } from './show-subscription.ts'
import type { Account, Grant, State } from './state.ts'
import { isPending, makeMeeting } from './teams-meeting.ts'
import { touch } from './write-event.ts'

/** What a test says and sees, about the account that `as` names, or `owner@example.com`. */
export function control(state: State, call: Call): Reply {
  const account = accountOf(state, call.query.get('as') ?? 'owner@example.com')
  const said: Json = call.body ? JSON.parse(call.body) : {}
  const [, first = '', ...rest] = call.path.split('/').map(decodeURIComponent)
  switch (`${call.method} ${first}`) {
    case 'GET ':
      return { status: 200, json: show(state, account) }
    case 'PUT ':
      return putSettings(state, account, said)
    case 'PUT registration':
      return put(state.registration, said)
    case 'POST calendars':
    case 'DELETE calendars':
      return controlCalendars(state, account, rest, said)
    case 'POST events':
    case 'PATCH events':
    case 'DELETE events':
      return controlEvents(state, account, call.method, rest, said)
    case 'POST end':
      return end(state, account, said)
    case 'POST expire':
      for (const token of state.accessTokens.values())
        if (token.grant.account === account) token.expiresMs = 0
      return { status: 204 }
    case 'POST lifecycle':
      return lifecycle(state, account, said)
    default:
      return NO_CONTROL
  }
}

function show(state: State, account: Account): Json {
  const calendars = account.calendars.map(({ key: _, version: __, ...calendar }) => calendar)
  return {
    account: { mail: account.mail, id: account.id, tenantId: account.tenant.id, settings: account.settings },
    accounts: [...state.accounts.keys()],
    settings: state.settings,
    mails: account.mails,
    meetings: account.events.flatMap(({ id, fields }) =>
      fields.isOnlineMeeting ? [{ eventId: id, joinUrl: fields.onlineMeeting?.joinUrl ?? null }] : [],
    ),
    events: knownEvents(account),
    calendars,
    subscriptions: state.subscriptions
      .filter((one) => one.account === account)
      .map((one) => ({ ...tell(state, one), isPaused: one.isPaused, isImmutable: one.isImmutable })),
    validations: state.validations,
    grants: state.grants
      .filter((grant) => grant.account === account)
      .map(({ id, scopes, state: is }) => ({ id, scope: scopes.join(' '), state: is })),
  }
}

/** Settings of the world and of the account in one: each name is one of the two. */
function putSettings(state: State, account: Account, said: Json): Reply {
  const stranger = Object.keys(said).find((name) => !(name in state.settings) && !(name in account.settings))
  if (stranger) return wrong(`There is no setting ${stranger}.`)
  let target = account
  if (said.kind && said.kind !== account.settings.kind) {
    target = becomeOfKind(state, account, said.kind as AccountSettings['kind'])
  }
  for (const [name, value] of Object.entries(said)) {
    Object.assign(name in state.settings ? state.settings : target.settings, { [name]: value })
  }
  if (said.meeting === 'ready') finishMeetings(state)
  return { status: 204 }
}

/** What was pending is there now, which is a change of its event. */
function finishMeetings(state: State): void {
  for (const account of state.accounts.values()) {
    for (const event of account.events.filter(({ isDeleted, fields }) => !isDeleted && isPending(fields))) {
      makeMeeting(state, account, event.fields, event.id)
      touch(state, account, event)
      changed(state, account, 'updated', event)
    }
  }
}

function controlCalendars(state: State, account: Account, [id, action]: string[], said: Json): Reply {
  if (id === undefined) {
    if (typeof said.name !== 'string') return wrong('A calendar has a name.')
    const made = addCalendar(account, { ...said, name: said.name })
    return { status: 201, json: { id: made.id } }
  }
  const calendar = account.calendars.find((one) => [one.id, one.immutableId, one.name].includes(id))
  if (!calendar) return { status: 404, json: { error: 'There is no such calendar.' } }
  if (calendar.isDefault) return wrong('The default calendar stays.')
  calendar.isGone = action !== 'restore'
  for (const event of account.events) if (event.calendar === calendar.key) touch(state, account, event)
  return { status: 204 }
}

/**
 * Ends what was granted in one of three manners. Access tokens end with it unless `keepsAccessTokens`: without
 * continuous access evaluation they live on for up to an hour.
 */
function end(state: State, account: Account, said: Json): Reply {
  const hows: Grant['state'][] = ['revoked', 'expired', 'removed']
  if (!hows.includes(said.how)) return wrong('how is revoked, expired or removed.')
  for (const grant of state.grants)
    if (grant.account === account && grant.state === 'live') grant.state = said.how
  if (!said.keepsAccessTokens) {
    for (const token of state.accessTokens.values()) if (token.grant.account === account) token.isEnded = true
  }
  if (said.how === 'removed') {
    account.consented.clear()
    removeSubscriptions(state, account, null)
  }
  return { status: 204 }
}

function removeSubscriptions(state: State, account: Account, id: string | null): void {
  for (const one of state.subscriptions.filter(
    (known) => known.account === account && (id === null || known.id === id),
  )) {
    tellLifecycle(state, one, 'subscriptionRemoved')
    state.subscriptions.splice(state.subscriptions.indexOf(one), 1)
  }
}

/** `{event, subscription?, pauses?}`: of one subscription, or of all that the account has. */
function lifecycle(state: State, account: Account, said: Json): Reply {
  const events: LifecycleEvent[] = ['missed', 'reauthorizationRequired', 'subscriptionRemoved']
  if (!events.includes(said.event)) return wrong(`event is ${events.join(', ')}.`)
  if (said.event === 'subscriptionRemoved') {
    removeSubscriptions(state, account, said.subscription ?? null)
    return { status: 204 }
  }
  for (const one of state.subscriptions) {
    if (one.account !== account || (said.subscription && said.subscription !== one.id)) continue
    tellLifecycle(state, one, said.event)
    // Sooner or later nothing comes any more until the app answers: change-notifications-lifecycle-events
    if (said.event === 'reauthorizationRequired') one.isPaused = said.pauses === true
  }
  return { status: 204 }
}
