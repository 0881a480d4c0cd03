import type { Json } from '../world.ts'
import { cancelSubscription } from './answer-subscriptions.ts'
import { find } from './find-objects.ts'
import { makeId } from './make-ids.ts'
import { checkCurrency } from './money.ts'
import { refuse, refuseMissing, refuseParameter } from './refuse.ts'
import { tell } from './send-events.ts'
import { type Caller, keep, objectsOf } from './state.ts'

export function createProduct(caller: Caller, parameters: Json): Json {
  const { stripe, account, now } = caller
  const { default_price_data: priced, id = makeId('prod'), expand: _, ...told } = parameters
  if (objectsOf(stripe, account).has(id))
    throw refuse('Product already exists.', { code: 'resource_already_exists', param: 'id' })
  const product: Json = keep(stripe, account, {
    id,
    object: 'product',
    active: true,
    created: now,
    default_price: null,
    description: null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: {},
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    unit_label: null,
    updated: now,
    url: null,
    ...told,
  })
  if (priced) product.default_price = createPrice(caller, { ...priced, product: id }).id
  tell(caller, 'product.created', product)
  return product
}

export function createPrice(caller: Caller, parameters: Json): Json {
  const { stripe, account, now } = caller
  const { product_data: named, unit_amount: amount, lookup_key: key, recurring } = parameters
  if (named && parameters.product)
    throw refuseParameter(
      'You may only specify one of these parameters: product, product_data.',
      'product',
      'parameters_exclusive',
    )
  if (!named && !parameters.product)
    throw refuseParameter(
      'You must specify either `product` or `product_data` when creating a price.',
      'product',
      'parameter_missing',
    )
  if (
    amount === undefined &&
    parameters.unit_amount_decimal === undefined &&
    !parameters.tiers &&
    !parameters.custom_unit_amount
  )
    throw refuseParameter(
      'Prices require an `unit_amount` or `unit_amount_decimal` parameter to be set.',
      'unit_amount',
      'parameter_missing',
    )
  const all = [...objectsOf(stripe, account).values()]
  const holder = key && all.find((one) => one.object === 'price' && one.lookup_key === key)
  if (holder && !parameters.transfer_lookup_key)
    throw refuse(`A price (\`${holder.id}\`) already uses that lookup key.`, { param: 'lookup_key' })
  if (holder) holder.lookup_key = null
  const product = named
    ? createProduct(caller, named).id
    : find(caller, 'product', parameters.product, 'product', 400).id
  const price = keep(stripe, account, {
    id: makeId('price'),
    object: 'price',
    active: parameters.active ?? true,
    billing_scheme: parameters.billing_scheme ?? 'per_unit',
    created: now,
    currency: checkCurrency(parameters.currency),
    custom_unit_amount: null,
    livemode: false,
    lookup_key: key ?? null,
    metadata: parameters.metadata ?? {},
    nickname: parameters.nickname ?? null,
    product,
    recurring: recurring
      ? { interval_count: 1, meter: null, trial_period_days: null, usage_type: 'licensed', ...recurring }
      : null,
    tax_behavior: parameters.tax_behavior ?? 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: recurring ? 'recurring' : 'one_time',
    unit_amount: amount ?? null,
    unit_amount_decimal: String(amount ?? parameters.unit_amount_decimal ?? ''),
  })
  tell(caller, 'price.created', price)
  return price
}

export function createCustomer(caller: Caller, parameters: Json): Json {
  const { expand: _, payment_method: method, invoice_settings: settings, ...told } = parameters
  const customer = keep(caller.stripe, caller.account, {
    id: makeId('cus'),
    object: 'customer',
    address: null,
    balance: 0,
    created: caller.now,
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: null,
    email: null,
    invoice_settings: {
      custom_fields: null,
      default_payment_method: method ?? null,
      footer: null,
      rendering_options: null,
      ...settings,
    },
    livemode: false,
    metadata: {},
    name: null,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
    ...told,
  })
  tell(caller, 'customer.created', customer)
  return customer
}

/**
 * Its subscriptions end with it; what can still be read of it is that it was deleted. docs.stripe.com/api/customers/delete
 */
export function deleteCustomer(caller: Caller, id: string): Json {
  const customer = find(caller, 'customer', id, 'id', 404)
  if (customer.deleted) throw refuseMissing('customer', id)
  for (const one of objectsOf(caller.stripe, caller.account).values())
    if (one.object === 'subscription' && one.customer === id && one.status !== 'canceled')
      cancelSubscription(caller, one.id)
  const before = structuredClone(customer)
  for (const key of Object.keys(customer)) delete customer[key]
  Object.assign(customer, { id, object: 'customer', deleted: true })
  tell(caller, 'customer.deleted', before)
  return customer
}
