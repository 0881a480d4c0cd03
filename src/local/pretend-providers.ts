import { openCalcom } from '../../doubles/calcom/open-calcom.ts'
import { openCalendly } from '../../doubles/calendly/open-calendly.ts'
import { openGoogle } from '../../doubles/google/open-google.ts'
import { openMicrosoft } from '../../doubles/microsoft/open-microsoft.ts'
import { startDoubles } from '../../doubles/start-doubles.ts'
import { openStripe } from '../../doubles/stripe/open-stripe.ts'
import { openTwilio } from '../../doubles/twilio/open-twilio.ts'
import { variablesFor } from '../../doubles/variables.ts'
import { openZoom } from '../../doubles/zoom/open-zoom.ts'
import { Api } from './api.ts'
import { PAID_EVENT_TYPE } from './demo.ts'
import { type EventType, ensureEventType, listEventTypes } from './demo-event-types.ts'
import { Failure } from './failure.ts'
import { giveConsent } from './give-consent.ts'
import type { Settings } from './settings.ts'

/** One of the accounts that every world of the double has, with a few events in the coming days. */
const ACCOUNT = 'ada.berger@example.com'
const WORLD = 'demo'
const ZOOM_WEBHOOK_SECRET = 'double-webhook-secret_1'
/** Of the endpoint for the platform's own events, and of that for its accounts'. */
const STRIPE_SECRETS = ['whsec_double-of-the-platform', 'whsec_double-of-its-accounts'] as const
const COUNTRY = 'DE'
/** The account that every world of Twilio's double has. */
const TWILIO = {
  sid: `AC${'d0'.repeat(16)}`,
  token: 'double-auth-token-of-32-letters1',
  number: '+15005550006',
} as const

/** Doubles of providers beside the service, and the variables that point it to them. */
export async function startPretendProviders({ port, url: service }: Settings) {
  const { url } = await startDoubles(
    {
      calcom: openCalcom,
      calendly: openCalendly,
      google: openGoogle,
      microsoft: openMicrosoft,
      zoom: openZoom,
      stripe: openStripe,
      twilio: openTwilio,
    },
    port + 1,
  )
  const base = (provider: string) => `${url}/${provider}/${WORLD}`
  const notificationUrl = `${service}/v1/conferencing/video_a/deauthorization`
  await new Api(base('zoom')).need('PUT', '/control/registration', { notificationUrl })
  const inboundUrl = `${service}/v1/sms/twilio/inbound`
  await new Api(base('twilio')).need('PUT', '/control/registration', {
    numbers: [{ number: TWILIO.number, inboundUrl, isSmsCapable: true }],
  })
  await setUpEndpoints(base('stripe'), `${service}/v1/payment-provider/webhook`)
  return {
    url,
    variables: {
      ALLOW_PRIVATE_HOSTS: 'true',
      ...variablesFor('google', base('google')),
      ...variablesFor('microsoft', base('microsoft')),
      ...variablesFor('zoom', base('zoom')),
      ZOOM_WEBHOOK_SECRET,
      STRIPE_API_BASE: base('stripe'),
      STRIPE_SCRIPT_URL: `${base('stripe')}/v3/`,
      STRIPE_PUBLISHABLE_KEY: 'pk_test_double1234',
      STRIPE_SECRET_KEY: 'sk_test_double1234',
      STRIPE_WEBHOOK_SECRET: STRIPE_SECRETS.join(),
      CALCOM_API_BASE: `${base('calcom')}/v2`,
      CALENDLY_API_BASE: base('calendly'),
      TWILIO_API_BASE: base('twilio'),
      TWILIO_ACCOUNT_SID: TWILIO.sid,
      TWILIO_AUTH_TOKEN: TWILIO.token,
      TWILIO_FROM: TWILIO.number,
    },
  }
}

/** As the operator does it once in the dashboard. */
async function setUpEndpoints(stripe: string, url: string): Promise<void> {
  const endpoints = STRIPE_SECRETS.map((secret, at) => ({ url, secrets: [secret], connect: at === 1 }))
  const { status } = await fetch(`${stripe}/control/endpoints`, {
    method: 'PUT',
    body: JSON.stringify(endpoints),
  })
  if (status >= 300) throw new Failure(`The double of Stripe takes no endpoints: ${status}.`)
}

/** Connects an account of the pretend Stripe, whose owner answers all that it asks; a new one with each start. */
export async function connectPretendStripe({ url }: Settings, liveKey: string): Promise<string> {
  const api = new Api(url, { Authorization: `Bearer ${liveKey}` })
  const page = await api.need<{ url: string }>('GET', `/v1/payment-provider/connect?country=${COUNTRY}`)
  const { status } = await fetch(`${page.url}?done=1`, { redirect: 'manual' })
  if (status !== 302) throw new Failure(`The pretend account cannot be set up: ${status}.`)
  const told = await api.need<{ charges_enabled: boolean; payment_provider_account_id: string }>(
    'GET',
    '/v1/payment-provider/status',
  )
  if (!told.charges_enabled) throw new Failure('The pretend account takes no payments.')
  return told.payment_provider_account_id
}

/** What a guest of the demo can pay for; it stays for later starts. */
export async function offerPaid({ url }: Settings, liveKey: string): Promise<EventType> {
  const api = new Api(url, { Authorization: `Bearer ${liveKey}` })
  return ensureEventType(api, await listEventTypes(api), PAID_EVENT_TYPE)
}

type Calendar = { readonly provider: string; readonly account_email: string; readonly status: string }

/**
 * Connects the pretend account as its owner would. What the double knew ends with it, so each start connects again.
 */
export async function connectPretendAccount({ url }: Settings, liveKey: string): Promise<string> {
  const api = new Api(url, { Authorization: `Bearer ${liveKey}` })
  const { data } = await api.need<{ data: (Calendar & { id: string })[] }>('GET', '/v1/calendars?limit=100')
  const known = data.find(
    ({ provider, account_email }) => provider === 'calendar_a' && account_email === ACCOUNT,
  )
  // Its tokens are of an earlier double: asked now, it says so, and can be connected again.
  if (known) await api.need('POST', `/v1/calendars/${known.id}/sync`)
  const { url: authorization } = await api.need<{ url: string }>('GET', '/v1/calendars/calendar_a/connect')
  await giveConsent(authorization, ACCOUNT, url)
  return ACCOUNT
}
