import type { Json } from '../world.ts'
import { letters, makeId } from './make-ids.ts'
import { Refusal, refuse, refuseParameter } from './refuse.ts'
import { type Caller, keep, objectsOf } from './state.ts'

/** Where accounts can be had. stripe.com/global */
const COUNTRIES = new Set(
  'AE AT AU BE BG BR CA CH CY CZ DE DK EE ES FI FR GB GI GR HK HR HU IE IN IT JP LI LT LU LV MT MX MY NL NO NZ PL PT RO SE SG SI SK TH US'.split(
    ' ',
  ),
)

const CURRENCIES: Readonly<Record<string, string>> = {
  US: 'usd',
  GB: 'gbp',
  JP: 'jpy',
  CA: 'cad',
  AU: 'aud',
  NZ: 'nzd',
  CH: 'chf',
  LI: 'chf',
  SE: 'sek',
  NO: 'nok',
  DK: 'dkk',
  PL: 'pln',
  CZ: 'czk',
  HU: 'huf',
  RO: 'ron',
  AE: 'aed',
  BR: 'brl',
  MX: 'mxn',
  SG: 'sgd',
  HK: 'hkd',
  IN: 'inr',
  MY: 'myr',
  TH: 'thb',
  BG: 'eur',
  GI: 'gbp',
}

/** What each of the former types amounts to. docs.stripe.com/connect/migrate-to-controller-properties */
const TYPES: Readonly<Record<string, Json>> = {
  standard: { payer: 'account', losses: 'stripe', collection: 'stripe', dashboard: 'full' },
  express: {
    payer: 'application_express',
    losses: 'application',
    collection: 'stripe',
    dashboard: 'express',
  },
  custom: {
    payer: 'application_custom',
    losses: 'application',
    collection: 'application',
    dashboard: 'none',
  },
}

const DUE = ['business_type', 'external_account', 'tos_acceptance.date', 'tos_acceptance.ip']

export function createAccount(caller: Caller, parameters: Json): Json {
  const { stripe, now } = caller
  const { type, controller, country = 'US' } = parameters
  if (caller.account !== stripe.platform)
    throw refuse("You cannot access the connected accounts of your platform's connected accounts.")
  refuseUnlessOn(stripe.settings.accountsV1)
  // The two exclude each other; docs.stripe.com/api/accounts/create (type)
  if (type && controller)
    throw refuseParameter(
      'You may only specify one of these parameters: type, controller.',
      'type',
      'parameters_exclusive',
    )
  if (!/^[A-Za-z]{2}$/.test(country))
    throw refuse(
      `Country '${country}' is unknown. Try using a 2-character alphanumeric country code instead, such as 'US', 'EG', or 'GB'. A full list of country codes is available at https://stripe.com/global`,
      { param: 'country' },
    )
  if (!COUNTRIES.has(country.toUpperCase()))
    throw refuse(`${country} is not currently supported by Stripe.`, {
      param: 'country',
      code: 'country_unsupported',
    })
  const told = controllerOf(type, controller)
  const isFull = told.dashboard === 'full'
  const capabilities: Json = {}
  for (const [name, one] of Object.entries<Json>(parameters.capabilities ?? {}))
    if (one.requested) capabilities[name] = 'inactive'
  // Accounts with the whole dashboard ask for these themselves. docs.stripe.com/connect/account-capabilities
  if (isFull) Object.assign(capabilities, { card_payments: 'inactive', transfers: 'inactive' })
  const id = makeId('acct')
  const account = keep(stripe, stripe.platform, {
    id,
    object: 'account',
    business_profile: {
      mcc: null,
      name: null,
      support_email: null,
      url: null,
      ...parameters.business_profile,
    },
    business_type: parameters.business_type ?? null,
    capabilities,
    charges_enabled: false,
    controller: {
      fees: { payer: told.payer },
      is_controller: true,
      losses: { payments: told.losses },
      requirement_collection: told.collection,
      stripe_dashboard: { type: told.dashboard },
      type: 'application',
    },
    country: country.toUpperCase(),
    created: now,
    default_currency: parameters.default_currency ?? CURRENCIES[country.toUpperCase()] ?? 'eur',
    details_submitted: false,
    email: parameters.email ?? null,
    external_accounts: {
      object: 'list',
      data: [],
      has_more: false,
      total_count: 0,
      url: `/v1/accounts/${id}/external_accounts`,
    },
    future_requirements: requirements([], null),
    metadata: parameters.metadata ?? {},
    payouts_enabled: false,
    requirements: requirements(DUE, 'requirements.past_due'),
    settings: { payouts: { debit_negative_balances: told.losses === 'stripe' }, ...parameters.settings },
    tos_acceptance: { date: null, ip: null, user_agent: null },
    type: told.type,
  })
  objectsOf(stripe, id)
  return account
}

/**
 * docs.stripe.com/connect/accounts-v2/account-creation;
 * docs.stripe.com/changelog/endive/2026-11-18/error-code-for-blocked-account-creation-requests
 */
function refuseUnlessOn(v1: Caller['stripe']['settings']['accountsV1']): void {
  if (v1 === 'off')
    throw refuse(
      'Use /v2/core/accounts to create accounts, or enable Accounts v1: https://docs.stripe.com/connect/accounts-v2/account-creation',
    )
  if (v1 === 'inactive')
    throw refuse('This API operation has been inactive for your account. Confirm it in the Dashboard.', {
      code: 'inactive_api_operation_confirmation_required',
    })
}

function controllerOf(type: string | undefined, controller: Json | undefined): Json {
  if (type) return { ...TYPES[type], type }
  const dashboard = controller?.stripe_dashboard?.type ?? 'full'
  const collection = controller?.requirement_collection ?? 'stripe'
  const payer = controller?.fees?.payer ?? 'account'
  const losses = controller?.losses?.payments ?? 'stripe'
  // antiwork/gumroad#4294
  if (dashboard === 'none' && collection === 'stripe' && losses !== 'stripe')
    throw refuse(
      'When stripe_dashboard[type]=none and requirement_collection=stripe, Stripe must be liable for negative balances or refunds and chargebacks.',
      { param: 'controller[losses][payments]' },
    )
  // docs.stripe.com/connect/migrate-to-controller-properties: who collects requirements for whom
  if (dashboard !== 'none' && collection === 'application')
    throw refuse(`When stripe_dashboard[type]=${dashboard}, requirement_collection must be stripe.`, {
      param: 'controller[requirement_collection]',
    })
  const told = { payer, losses, collection, dashboard }
  const match = Object.entries(TYPES).find(([, one]) => JSON.stringify(one) === JSON.stringify(told))
  return { ...told, type: match?.[0] ?? 'none' }
}

export function requirements(due: readonly string[], reason: string | null): Json {
  return {
    alternatives: [],
    current_deadline: null,
    currently_due: due,
    disabled_reason: due.length > 0 ? reason : null,
    errors: [],
    eventually_due: due,
    past_due: reason === 'requirements.past_due' ? due : [],
    pending_verification: [],
  }
}

/** An account of this platform, or the caller's own. */
export function findAccount(caller: Caller, id: string): Json {
  const { stripe } = caller
  const account = objectsOf(stripe, stripe.platform).get(id)
  if (account?.object !== 'account' || stripe.deauthorized.has(id)) throw refuseAccount(id)
  return account
}

/** stripe/stripe-node#1078: the key is shown without its middle. */
export function refuseAccount(id: string): Refusal {
  return new Refusal(
    403,
    {
      code: 'account_invalid',
      message: `The provided key 'sk_test_****' does not have access to account '${id}' (or that account does not exist). Application access may have been revoked.`,
    },
    false,
  )
}

/** Works for a few minutes and once. docs.stripe.com/api/account_links */
export function createAccountLink(caller: Caller, parameters: Json): Json {
  const { stripe, now } = caller
  const account = findAccount(caller, parameters.account)
  for (const param of ['refresh_url', 'return_url'])
    if (!parameters[param])
      throw refuseParameter(`Missing required param: ${param}.`, param, 'parameter_missing')
    else if (!URL.canParse(parameters[param])) throw refuse('Not a valid URL', { param, code: 'url_invalid' })
  // docs.stripe.com/api/account_links/create: for accounts without a dashboard of Stripe's
  if (parameters.type === 'account_update' && account.controller.requirement_collection !== 'application')
    throw refuse('You cannot create `account_update` type Account Links for this account.', { param: 'type' })
  const path = `/setup/s/${account.id}/${letters(12)}`
  const link = { object: 'account_link', created: now, expires_at: now + 300, url: stripe.frame.base + path }
  stripe.secrets.set(path, { ...link, ...parameters, isUsed: false })
  return link
}
