// @ts-check
/*
 * What was typed outlives a change of the time, a reload and a lost connection; forms are sent without leaving the page.
 */
const DETAILS = 'hf_details'
const FIELDS =
  'form[data-once] :is(input:is([type="text"], [type="date"], [type="checkbox"])[name], textarea, select):not([autocomplete="one-time-code"])'

/** Within this page of this tab. */
function place() {
  return `hf_typed:${location.pathname.split('/').slice(0, 4).join('/')}`
}

/** What the link says of the person: what was typed by one is not for the next. */
function person() {
  const query = new URLSearchParams(location.search)
  return ['name', 'email', 'notes', 'guests'].map((name) => query.get(name) ?? '').join('\n')
}

/** @returns {Record<string, string>} */
function typed() {
  const { of, texts } = readFrom(() => sessionStorage, place())
  return of === person() ? texts : {}
}

/** @param {Record<string, string>} texts */
function keep(texts) {
  writeTo(() => sessionStorage, place(), { of: person(), texts })
}

/**
 * @param {() => Storage} storage which may be forbidden
 * @param {string} key
 * @returns {Record<string, any>}
 */
function readFrom(storage, key) {
  try {
    return JSON.parse(storage().getItem(key) ?? '{}')
  } catch {
    return {}
  }
}

/**
 * @param {() => Storage} storage
 * @param {string} key
 * @param {object | null} value
 */
function writeTo(storage, key, value) {
  try {
    if (value === null) storage().removeItem(key)
    else storage().setItem(key, JSON.stringify(value))
  } catch {
    // Then it lives no longer than the page.
  }
}

/** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Field */

/** @returns {Field[]} */
function fields() {
  return [...document.querySelectorAll(FIELDS)].map((field) => /** @type {Field} */ (field))
}

/**
 * Boxes of one question share its name.
 * @param {Field} field
 */
function nameOf(field) {
  return field.type === 'checkbox' ? `${field.name}=${field.value}` : field.name
}

/**
 * @param {Field} field
 * @returns {string} a box that is not ticked is empty
 */
function contentOf(field) {
  return field instanceof HTMLInputElement && field.type === 'checkbox' && !field.checked ? '' : field.value
}

/** @param {Field} field */
function defaultOf(field) {
  if (field instanceof HTMLSelectElement) {
    return [...field.options].find(({ defaultSelected }) => defaultSelected)?.value ?? ''
  }
  return field.type === 'checkbox' && !(/** @type {HTMLInputElement} */ (field).defaultChecked)
    ? ''
    : field.defaultValue
}

/**
 * @param {Field} field
 * @param {string} value
 */
function fill(field, value) {
  if (field instanceof HTMLInputElement && field.type === 'checkbox') field.checked = value !== ''
  else field.value = value
}

document.addEventListener('input', ({ target }) => {
  if (!(target instanceof Element) || !target.matches(FIELDS)) return
  const field = /** @type {Field} */ (target)
  keep({ ...typed(), [nameOf(field)]: contentOf(field) })
})

/** What was typed goes into a new form; a form that was sent back holds what was sent. */
function restore() {
  if (/\/(booked|waiting)\//.test(location.pathname)) return writeTo(() => sessionStorage, place(), null)
  const form = document.querySelector('form[data-once]')
  if (!(form instanceof HTMLFormElement)) return
  const before = typed()
  const isFresh = form.dataset.fresh !== undefined
  for (const field of fields()) {
    const known = before[nameOf(field)]
    // Somebody was faster than this script.
    if (contentOf(field) !== defaultOf(field)) keep({ ...typed(), [nameOf(field)]: contentOf(field) })
    else if (known !== undefined && (isFresh || contentOf(field) === '')) fill(field, known)
  }
  offerToRemember(form)
}

/** @param {HTMLFormElement} form */
function offerToRemember(form) {
  const box = form.querySelector('[data-remember]')
  if (!(box instanceof HTMLInputElement)) return
  const known = readFrom(() => localStorage, DETAILS)
  box.checked = known.name !== undefined
  const label = box.closest('label')
  if (label) label.hidden = false
  for (const field of fields()) {
    if (contentOf(field) === '' && typeof known[field.name] === 'string') field.value = known[field.name]
  }
}

/** @param {HTMLFormElement} form */
function rememberDetails(form) {
  const box = form.querySelector('[data-remember]')
  if (!(box instanceof HTMLInputElement)) return
  const { name, email } = Object.fromEntries(
    [...new FormData(form)].map(([key, value]) => [key, String(value)]),
  )
  writeTo(() => localStorage, DETAILS, box.checked ? { name, email } : null)
}

/** A form is not sent again while it is being sent. Without script, its hidden key prevents that. */
document.addEventListener('submit', (event) => {
  const form = event.target
  if (!(form instanceof HTMLFormElement) || form.dataset.once === undefined) return
  if (form.dataset.sent !== undefined) return event.preventDefault()
  rememberDetails(form)
  event.preventDefault()
  // Before the button is out of the question, for it may say what is wanted.
  const body = new URLSearchParams()
  for (const [name, value] of new FormData(form, event.submitter)) body.append(name, String(value))
  const restoreButton = markSent(form, event.submitter)
  send(form, body, restoreButton).catch(() => {
    restoreButton()
    offline(form, event.submitter)
  })
})

/**
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} submitter
 */
function markSent(form, submitter) {
  const button = submitter ?? form.querySelector('button[type="submit"]')
  const before = button?.textContent ?? ''
  form.dataset.sent = ''
  if (button) {
    button.setAttribute('aria-disabled', 'true')
    button.textContent = form.dataset.once ?? ''
  }
  return () => {
    delete form.dataset.sent
    button?.removeAttribute('aria-disabled')
    if (button) button.textContent = before
  }
}

/**
 * @param {HTMLFormElement} form
 * @param {URLSearchParams} body
 * @param {() => void} restoreButton
 */
async function send(form, body, restoreButton) {
  const headers = { Accept: 'text/html' }
  const response = await fetch(form.action, { method: 'POST', body, headers })
  const text = await response.text()
  // Where the payment provider's form follows, a page of its own has to: this one permits no foreign code. Sent again, the
  // form books nothing more and gets the same answer.
  if (/<form id="pay"/.test(text)) return withinPage(form).submit()
  const isAnswer = response.redirected || /<form[^>]*data-once/.test(text) || response.ok
  if (isAnswer) return show({ text, address: response.redirected ? response.url : null })
  // It says something else than about the form, which stays.
  const said = new DOMParser().parseFromString(text, 'text/html').querySelector('.notice')
  const words = [...(said?.querySelectorAll('h1, h1 + p') ?? [])].map((one) => one.textContent?.trim())
  restoreButton()
  show({ tells: words.join(' – ') || String(response.status), again: () => withinPage(form).requestSubmit() })
}

/**
 * After going back, the page is another one, and a form outside of the document is not sent.
 * @param {HTMLFormElement} form
 */
function withinPage(form) {
  if (!form.isConnected) {
    form.hidden = true
    document.getElementById('main')?.append(form)
  }
  return form
}

/**
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} submitter
 */
function offline(form, submitter) {
  show({ tells: '', again: () => withinPage(form).requestSubmit(submitter) })
}

/** @param {object} detail */
function show(detail) {
  document.dispatchEvent(new CustomEvent('page:show', { detail }))
}

document.addEventListener('page:arrived', restore)
restore()
