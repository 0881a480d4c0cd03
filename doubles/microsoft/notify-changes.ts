import { setTimeout } from 'node:timers'
import type { Json } from '../world.ts'
import { defaultCalendar, isPersonalTenant } from './accounts.ts'
import { etagOf } from './event-json.ts'
import { utcText } from './local-time.ts'
import { changeKeyOf } from './make-ids.ts'
import type { Account, State, StoredEvent, Subscription } from './state.ts'

type ChangeType = 'created' | 'updated' | 'deleted'
type Waiting = { readonly url: string; readonly items: { one: Json; subscription: Subscription }[] }

const waiting = new WeakMap<State, Map<string, Waiting>>()

const isLive = (state: State, { expiresMs, isPaused }: Subscription) =>
  expiresMs > state.frame.now() && !isPaused

/**
 * `me/events` is documented as the whole mailbox and covers the default calendar only: microsoftgraph/microsoft-graph-docs#6595,
 * #21978.
 */
function covers(state: State, { calendar, account }: Subscription, event: StoredEvent): boolean {
  if (calendar !== null) return calendar === event.calendar
  return state.settings.meEventsCovers === 'all' || event.calendar === defaultCalendar(account).key
}

/** One item of `value`: learn.microsoft.com/graph/api/resources/changenotification, outlook-change-notifications-overview */
function itemOf(subscription: Subscription, changeType: ChangeType, event: StoredEvent): Json {
  const { account } = subscription
  const id = subscription.isImmutable ? event.immutableId : event.id
  const resource = `Users/${account.id}/Events/${id}`
  return {
    subscriptionId: subscription.id,
    subscriptionExpirationDateTime: utcText(subscription.expiresMs),
    changeType,
    resource,
    resourceData: {
      '@odata.type': '#Microsoft.Graph.Event',
      '@odata.id': resource,
      '@odata.etag': etagOf(changeKeyOf(account.id, event.version)),
      id,
    },
    clientState: subscription.clientState,
    // Of personal accounts it is empty: microsoftgraph/microsoft-graph-docs#3055
    tenantId: isPersonalTenant(account.tenant) ? '' : account.tenant.id,
  }
}

/**
 * Notifies every subscription of the calendar. A new event is reported as created and then as updated:
 * microsoftgraph/microsoft-graph-docs#7598
 */
export function changed(state: State, account: Account, changeType: ChangeType, event: StoredEvent): void {
  for (const subscription of state.subscriptions) {
    if (
      subscription.account !== account ||
      !isLive(state, subscription) ||
      !covers(state, subscription, event)
    )
      continue
    const told: ChangeType[] = changeType === 'created' ? ['created', 'updated'] : [changeType]
    for (const one of told.filter((type) => subscription.changeTypes.includes(type))) {
      gather(state, subscription, itemOf(subscription, one, event))
    }
  }
}

/** Notifications of several subscriptions may come in one POST: change-notifications-delivery-webhooks */
function gather(state: State, subscription: Subscription, one: Json): void {
  const urls = waiting.get(state) ?? new Map<string, Waiting>()
  waiting.set(state, urls)
  const url = subscription.notificationUrl
  const gathered = urls.get(url)
  if (gathered) {
    gathered.items.push({ one, subscription })
    return
  }
  const opened: Waiting = { url, items: [{ one, subscription }] }
  urls.set(url, opened)
  setTimeout(() => {
    urls.delete(url)
    void deliver(state, opened, 0)
  }, state.settings.notificationDelayMs).unref()
}

async function postTo(state: State, url: string, value: Json[]): Promise<boolean> {
  const headers = { 'Content-Type': 'application/json; charset=utf-8' }
  const tooLate = new Promise<'late'>((done) => {
    setTimeout(() => done('late'), 3_000).unref()
  })
  const status = await Promise.race([state.frame.notify(url, headers, JSON.stringify({ value })), tooLate])
  // Nothing was sent to another machine: there is nobody who could answer.
  if (status === null) return true
  return typeof status === 'number' && status >= 200 && status < 300
}

/**
 * A receiver has three seconds to answer 2xx; otherwise it is retried for up to four hours and then reported as `missed`.
 * learn.microsoft.com/graph/change-notifications-delivery-webhooks
 */
async function deliver(state: State, { url, items }: Waiting, attempt: number): Promise<void> {
  if (
    await postTo(
      state,
      url,
      items.map(({ one }) => one),
    )
  )
    return
  const { notificationRetries, notificationRetryMs } = state.settings
  if (attempt < notificationRetries) {
    setTimeout(
      () => void deliver(state, { url, items }, attempt + 1),
      notificationRetryMs * 2 ** attempt,
    ).unref()
    return
  }
  for (const subscription of new Set(items.map((item) => item.subscription))) {
    tellLifecycle(state, subscription, 'missed')
  }
}

export type LifecycleEvent = 'missed' | 'reauthorizationRequired' | 'subscriptionRemoved'

/** learn.microsoft.com/graph/change-notifications-lifecycle-events; only if a URL was given at creation. */
export function tellLifecycle(
  state: State,
  subscription: Subscription,
  lifecycleEvent: LifecycleEvent,
): void {
  if (subscription.lifecycleNotificationUrl === null) return
  const item = {
    subscriptionId: subscription.id,
    subscriptionExpirationDateTime: utcText(subscription.expiresMs),
    tenantId: isPersonalTenant(subscription.account.tenant) ? '' : subscription.account.tenant.id,
    clientState: subscription.clientState,
    lifecycleEvent,
  }
  void postTo(state, subscription.lifecycleNotificationUrl, [item])
}
