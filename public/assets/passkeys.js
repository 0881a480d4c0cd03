// @ts-check
/*
 * `<button type="submit" data-passkey="create|get" data-from="/console/…" hidden>` in a form with a field `passkey`: asks
 * the browser's authenticator, and sends the form with what it says. Without this, the button is not there.
 */

/** @typedef {{ parseCreationOptionsFromJSON?: (json: unknown) => PublicKeyCredentialCreationOptions, parseRequestOptionsFromJSON?: (json: unknown) => PublicKeyCredentialRequestOptions }} Parsers */
const known = /** @type {Parsers | undefined} */ (/** @type {unknown} */ (globalThis.PublicKeyCredential))
const { parseCreationOptionsFromJSON, parseRequestOptionsFromJSON } = known ?? {}

if (known && parseCreationOptionsFromJSON && parseRequestOptionsFromJSON) {
  for (const button of document.querySelectorAll('button[data-passkey]')) button.removeAttribute('hidden')
  for (const hint of document.querySelectorAll('[data-no-passkey]')) hint.setAttribute('hidden', '')
}

/** @param {HTMLButtonElement} button @param {HTMLFormElement} form */
async function ask(button, form) {
  const body = new URLSearchParams()
  const csrf = form.elements.namedItem('csrf')
  if (csrf instanceof HTMLInputElement) body.set('csrf', csrf.value)
  const answer = await fetch(button.dataset.from ?? '', { method: 'POST', body })
  if (!answer.ok) throw new Error(String(answer.status))
  const options = await answer.json()
  const credential =
    button.dataset.passkey === 'create'
      ? await navigator.credentials.create({ publicKey: parseCreationOptionsFromJSON?.call(known, options) })
      : await navigator.credentials.get({ publicKey: parseRequestOptionsFromJSON?.call(known, options) })
  return JSON.stringify(
    /** @type {{ toJSON: () => unknown }} */ (/** @type {unknown} */ (credential)).toJSON(),
  )
}

document.addEventListener('click', async (event) => {
  const button = event.target instanceof Element ? event.target.closest('button[data-passkey]') : null
  if (!(button instanceof HTMLButtonElement) || !button.form) return
  event.preventDefault()
  const { form } = button
  const field = form.elements.namedItem('passkey')
  if (!(field instanceof HTMLInputElement) || button.getAttribute('aria-disabled') === 'true') return
  button.setAttribute('aria-disabled', 'true')
  try {
    field.value = await ask(button, form)
    form.requestSubmit(button)
  } catch {
    // The person cancelled, or the device has no passkey.
    button.removeAttribute('aria-disabled')
    tell(button)
  }
})

/** @param {HTMLButtonElement} button */
function tell(button) {
  const known = button.parentElement?.querySelector('[data-told]')
  const told = known ?? document.createElement('p')
  told.setAttribute('data-told', '')
  told.setAttribute('role', 'alert')
  told.className = 'problem'
  told.textContent = button.dataset.failed ?? ''
  if (!known) button.after(told)
}
