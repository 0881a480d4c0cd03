import type { Json } from '../world.ts'
import { createAccount as createByV1 } from './answer-accounts.ts'
import { Refusal } from './refuse.ts'
import type { Caller } from './state.ts'

/**
 * The errors of v2 have a code and a message only; nothing is kept under the key of a call that was refused.
 * docs.stripe.com/api/v2/core/accounts/create; docs.stripe.com/api-v2-overview
 */
export function refuseV2(code: string, message: string, status = 400): Refusal {
  return new Refusal(status, { type: undefined, code, message }, false)
}

/** An account whose id v1 takes and shows in its own shape. docs.stripe.com/connect/accounts-v2 */
export function createAccountV2(caller: Caller, parameters: Json): Json {
  const { stripe, now } = caller
  if (stripe.settings.accountsV2 === 'off')
    throw refuseV2(
      'accounts_v2_access_blocked',
      "Accounts v2 is not enabled for your platform. If you're interested in using this API with your integration, please visit https://docs.stripe.com/connect/accounts-v2.",
    )
  const { identity, configuration = {}, defaults = {}, dashboard = 'none', contact_email: email } = parameters
  if (!identity?.country)
    throw refuseV2('identity_country_required', 'The identity.country value is required but not provided.')
  const { fees_collector: fees, losses_collector: losses } = defaults.responsibilities ?? {}
  const account = madeByV1(caller, {
    country: identity.country,
    email,
    metadata: parameters.metadata,
    controller: {
      fees: { payer: fees === 'stripe' ? 'account' : fees },
      losses: { payments: losses },
      requirement_collection: 'stripe',
      stripe_dashboard: { type: dashboard },
    },
  })
  return {
    id: account.id,
    object: 'v2.core.account',
    applied_configurations: Object.keys(configuration),
    closed: false,
    contact_email: email ?? null,
    created: new Date(now * 1000).toISOString(),
    dashboard,
    livemode: false,
    metadata: account.metadata,
  }
}

function madeByV1(caller: Caller, parameters: Json): Json {
  const { settings } = caller.stripe
  const before = settings.accountsV1
  settings.accountsV1 = 'on'
  try {
    return createByV1(caller, parameters)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw refuseV2(error.error.code ?? 'invalid_country', error.message)
  } finally {
    settings.accountsV1 = before
  }
}
