import type { Call, Json, Reply } from '../world.ts'
import { Refusal } from './graph-reply.ts'
import { invalid, live, readExpiry, tell } from './show-subscription.ts'
import type { Account, State, Subscription } from './state.ts'
import { validateUrl } from './validate-url.ts'

const notFound = () => new Refusal(404, 'ResourceNotFound', 'The object was not found.')

export async function answerSubscription(
  state: State,
  account: Account,
  [id = '', action]: string[],
  call: Call,
): Promise<Reply> {
  const one = live(state, account).find((subscription) => subscription.id === id.toLowerCase())
  if (!one) throw notFound()
  switch (`${call.method}${action ? ` ${action}` : ''}`) {
    case 'GET':
      return { status: 200, json: tell(state, one, '#subscriptions/$entity') }
    case 'DELETE':
      state.subscriptions.splice(state.subscriptions.indexOf(one), 1)
      return { status: 204 }
    case 'PATCH':
      return renew(state, one, JSON.parse(call.body || '{}'))
    // Goes on with the flow, and ends when it would have ended.
    case 'POST reauthorize':
      one.isPaused = false
      return { status: 204 }
    default:
      throw new Refusal(
        405,
        'Request_BadRequest',
        'Specified HTTP method is not allowed for the request target.',
      )
  }
}

/**
 * Renews, which also goes on with the flow; another URL is validated as at first. `lifecycleNotificationUrl` can be
 * given at creation only. learn.microsoft.com/graph/api/subscription-update, …/change-notifications-lifecycle-events
 */
async function renew(state: State, one: Subscription, said: Json): Promise<Reply> {
  const stranger = Object.keys(said).find((name) => !['expirationDateTime', 'notificationUrl'].includes(name))
  if (stranger) throw invalid(`The property '${stranger}' of a subscription can not be updated.`)
  if (said.notificationUrl !== undefined) {
    await validateUrl(state, said.notificationUrl)
    one.notificationUrl = said.notificationUrl
  }
  if (said.expirationDateTime !== undefined || said.notificationUrl === undefined) {
    one.expiresMs = readExpiry(state, said.expirationDateTime)
  }
  one.isPaused = false
  return { status: 200, json: tell(state, one, '#subscriptions/$entity') }
}
