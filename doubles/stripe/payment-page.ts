import { escapeHtml, hiddenFields, htmlPage } from '../pages.ts'
import type { Call, Reply } from '../world.ts'
import { attempt } from './move-intents.ts'
import { Refusal } from './refuse.ts'
import { byProvider, type Stripe, seek } from './state.ts'

/**
 * What pages load instead of js.stripe.com/v3/: its form asks for nothing, and confirming leads to `answerPayment`, as with a
 * method that redirects. docs.stripe.com/js/payment_intents/confirm_payment
 */
export function answerScript({ base }: Call): Reply {
  const body = `window.Stripe = () => ({
  elements: ({ clientSecret }) => ({
    clientSecret,
    create: () => ({
      mount: (at) => { document.querySelector(at).textContent = 'Pretend payment: the next page asks how it ends.' },
    }),
  }),
  confirmPayment: ({ elements, confirmParams }) => {
    const [intent] = elements.clientSecret.split('_secret_')
    location.assign(${JSON.stringify(`${base}/pay/`)} + intent + '?return_url=' + encodeURIComponent(confirmParams.return_url))
    return new Promise(() => {})
  },
})
`
  return { status: 200, body, headers: { 'Content-Type': 'text/javascript; charset=UTF-8' } }
}

/** A page with two buttons; each leads back with the status that Stripe adds to the address. */
export function answerPayment(stripe: Stripe, { path, query }: Call): Reply {
  const found = seek(stripe, path.slice('/pay/'.length))
  const back = URL.parse(query.get('return_url') ?? '')
  if (found?.object.object !== 'payment_intent' || !back)
    return htmlPage(404, 'Page not found', '<p>The double has no such payment.</p>')
  const { object: intent, account } = found
  const how = query.get('how')
  if (how !== 'succeed' && how !== 'decline') {
    const amount = escapeHtml(`${intent.amount} ${intent.currency}`)
    const buttons =
      '<button name="how" value="succeed">Pay</button> <button name="how" value="decline">Decline</button>'
    const form = `<form>${hiddenFields(query, ['how'])}${buttons}</form>`
    return htmlPage(200, 'Pretend payment', `<p>${amount}, in the currency’s smallest unit.</p>${form}`)
  }
  try {
    attempt(byProvider(stripe, account), intent, { how })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return htmlPage(409, 'Pretend payment', `<p>${escapeHtml(error.message || 'It was refused.')}</p>`)
  }
  back.searchParams.set('payment_intent', intent.id)
  back.searchParams.set('payment_intent_client_secret', intent.client_secret)
  back.searchParams.set('redirect_status', how === 'succeed' ? 'succeeded' : 'failed')
  return { status: 302, headers: { Location: back.href } }
}
