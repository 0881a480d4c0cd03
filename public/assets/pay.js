// @ts-check
/* The payment provider's own form: what is typed into it never reaches this service. */

const PROVIDER = 'https://js.stripe.com/v3/'

/**
 * @param {string} source
 * @returns {Promise<any>}
 */
function loadProvider(source) {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = source
    script.onload = () => resolve(/** @type {any} */ (window).Stripe)
    script.onerror = () => reject(new Error('the payment provider is not reached'))
    document.head.append(script)
  })
}

/** @param {HTMLFormElement} form */
async function takePayment(form) {
  const { key, secret, account, next, declined = '', language, script = PROVIDER } = form.dataset
  const error = /** @type {HTMLElement} */ (document.getElementById('payment-error'))
  const button = /** @type {HTMLButtonElement} */ (form.querySelector('button'))
  try {
    const Provider = await loadProvider(script)
    const provider = Provider(key, { locale: language, ...(account && { stripeAccount: account }) })
    const chosen = document.documentElement.dataset.theme
    const isDark = chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
    const theme = isDark ? 'night' : 'stripe'
    const elements = provider.elements({ clientSecret: secret, appearance: { theme } })
    elements.create('payment').mount('#payment-element')
    form.addEventListener('submit', async (event) => {
      event.preventDefault()
      if (button.getAttribute('aria-disabled') === 'true') return
      button.setAttribute('aria-disabled', 'true')
      const answer = await provider.confirmPayment({ elements, confirmParams: { return_url: next } })
      // If nothing failed, the browser is already loading the booking.
      error.textContent = answer.error?.message ?? declined
      button.removeAttribute('aria-disabled')
    })
  } catch {
    error.textContent = declined
    button.setAttribute('aria-disabled', 'true')
  }
}

const form = document.getElementById('pay')
if (form instanceof HTMLFormElement) takePayment(form)
