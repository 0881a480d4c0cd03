import { startDoubles } from '../../doubles/start-doubles.ts'
import { openStripe } from '../../doubles/stripe/open-stripe.ts'
import { sign } from '../../doubles/stripe/send-events.ts'
import type { Trouble } from '../../doubles/world.ts'
import { WEBHOOK_SECRET } from '../support/provider-events.ts'
import type { Json } from './caller.ts'
import type { Draws } from './operation.ts'

/** What the payment provider posted about something, as it was sent. */
export type Notice = { readonly headers: Readonly<Record<string, string>>; readonly body: string }

export type Bank = Awaited<ReturnType<typeof openBank>>

const ABOUT = ['POST /v1/payment_intents ', 'POST /v1/refunds ']

/** The double of the payment provider. It delivers no event itself: clients bring them to the service, also again. */
export async function openBank() {
  const doubles = await startDoubles({ stripe: openStripe })
  const url = `${doubles.url}/stripe/soak`
  const control = async (method: string, path: string, body?: unknown): Promise<any> => {
    const given = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(`${url}/control${path}`, { method, ...given })
    const text = await response.text()
    return text === '' ? null : JSON.parse(text)
  }
  const ask = async (path: string, form: Readonly<Record<string, string>>): Promise<Json> => {
    const headers = { Authorization: 'Bearer sk_test_double' }
    const response = await fetch(`${url}/v1/${path}`, {
      method: 'POST',
      headers,
      body: new URLSearchParams(form),
    })
    return (await response.json()) as Json
  }
  const endpoint = { url: 'https://holdfast.test/v1/payment-provider/webhook', secrets: [WEBHOOK_SECRET] }
  await control('PUT', '/endpoints', [
    { ...endpoint, connect: false },
    { ...endpoint, connect: true },
  ])
  // The double reads its types at the first call of each kind, which takes longer than a booking waits.
  for (const path of ['payment_intents', 'payment_intents/pi_none/cancel', 'refunds'])
    await ask(path, { nothing: '1' })
  return {
    url,
    stop: () => doubles.stop(),
    /** An account that takes payments. */
    openAccount: async (): Promise<string> => {
      const { id } = await ask('accounts', { country: 'DE', 'controller[stripe_dashboard][type]': 'full' })
      await control('POST', `/accounts/${id}/onboard`, {})
      return id
    },
    /** The payer tries to pay. Nothing happens if nobody can pay any more. */
    pay: (intentId: string, how: 'succeed' | 'decline'): Promise<unknown> =>
      control('POST', `/intents/${intentId}/pay`, { how }),
    /** About one intent, or about everything. Each attempt is signed at its own time, as the provider does. */
    noticesOf: async (intentId = ''): Promise<Notice[]> => {
      const notices: readonly Notice[] = await control('GET', `/notifications?of=${intentId}`)
      const seconds = Math.floor(Date.now() / 1000)
      return notices.map(({ headers, body }) => ({
        headers: { ...headers, 'Stripe-Signature': sign([WEBHOOK_SECRET], body, seconds) },
        body,
      }))
    },
    /** One of the next calls fails, before or after it is carried out. */
    trouble: async ({ below, pick }: Draws): Promise<void> => {
      const trouble: Trouble = {
        about: pick(ABOUT),
        isCarriedOut: below(2) === 0,
        ...pick<Partial<Trouble>>([{ does: 'drops' }, { does: 'answers', status: 500 }]),
      }
      await control('PUT', '/troubles', [trouble])
    },
    calm: () => control('DELETE', '/troubles'),
    /** Everything that the provider has. */
    all: (): Promise<{ readonly intents: readonly Json[]; readonly refunds: readonly Json[] }> =>
      control('GET', ''),
  }
}
