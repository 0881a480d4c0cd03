import type { Json, Reply } from '../world.ts'
import { badRequest } from './graph-reply.ts'
import { readTime, utcText } from './local-time.ts'
import type { Account, State, Subscription } from './state.ts'

export const invalid = (message: string) => badRequest(message, 'InvalidRequest')

export function readExpiry(state: State, said: unknown): number {
  const ms = typeof said === 'string' ? readTime(said, 'UTC') : null
  if (ms === null) throw invalid('expirationDateTime is a required property for subscription creation.')
  const aheadMs = ms - state.frame.now()
  if (aheadMs <= 0) throw invalid('Subscription expiration must be in the future.')
  const most = state.settings.subscriptionMaxMinutes
  if (aheadMs > most * 60_000) {
    throw badRequest(`Subscription expiration can only be ${most} minutes in the future.`, 'ExtensionError')
  }
  return ms
}

export const live = (state: State, account: Account) =>
  state.subscriptions.filter((one) => one.account === account && one.expiresMs > state.frame.now())

export function tell(state: State, one: Subscription, context?: string): Json {
  return {
    ...(context && { '@odata.context': `https://graph.microsoft.com/v1.0/$metadata${context}` }),
    ...{ id: one.id, resource: one.resource, applicationId: state.registration.clientId },
    ...{
      changeType: one.changeTypes.join(','),
      clientState: one.clientState,
      notificationUrl: one.notificationUrl,
    },
    ...{ notificationQueryOptions: null, lifecycleNotificationUrl: one.lifecycleNotificationUrl },
    ...{ expirationDateTime: utcText(one.expiresMs), creatorId: one.account.id, includeResourceData: null },
    ...{
      latestSupportedTlsVersion: one.tlsVersion,
      encryptionCertificate: null,
      encryptionCertificateId: null,
    },
    notificationUrlAppId: null,
  }
}

export const listSubscriptions = (state: State, account: Account): Reply => ({
  status: 200,
  json: {
    '@odata.context': 'https://graph.microsoft.com/v1.0/$metadata#subscriptions',
    value: live(state, account).map((one) => tell(state, one)),
  },
})
