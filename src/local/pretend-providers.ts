import { openGoogle } from '../../doubles/google/open-google.ts'
import { openMicrosoft } from '../../doubles/microsoft/open-microsoft.ts'
import { startDoubles } from '../../doubles/start-doubles.ts'
import { variablesFor } from '../../doubles/variables.ts'
import { openZoom } from '../../doubles/zoom/open-zoom.ts'
import { Api } from './api.ts'
import { giveConsent } from './give-consent.ts'
import type { Settings } from './settings.ts'

/** One of the accounts that every world of the double has, with a few events in the coming days. */
const ACCOUNT = 'ada.berger@example.com'
const WORLD = 'demo'
const ZOOM_WEBHOOK_SECRET = 'double-webhook-secret_1'

/** Doubles of Google, Microsoft and Zoom beside the service, and the variables that point it to them. */
export async function startPretendProviders({ port, url: service }: Settings) {
  const { url } = await startDoubles(
    { google: openGoogle, microsoft: openMicrosoft, zoom: openZoom },
    port + 1,
  )
  const base = (provider: string) => `${url}/${provider}/${WORLD}`
  const notificationUrl = `${service}/v1/conferencing/video_a/deauthorization`
  await new Api(base('zoom')).need('PUT', '/control/registration', { notificationUrl })
  return {
    url,
    variables: {
      ALLOW_PRIVATE_HOSTS: 'true',
      ...variablesFor('google', base('google')),
      ...variablesFor('microsoft', base('microsoft')),
      ...variablesFor('zoom', base('zoom')),
      ZOOM_WEBHOOK_SECRET,
    },
  }
}

type Calendar = { readonly provider: string; readonly account_email: string; readonly status: string }

/**
 * Connects the pretend account as its owner would. What the double knew ends with it, so each start connects anew.
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
