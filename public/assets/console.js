// @ts-check
/*
 * The console works without this. With it, a form is sent once and with no date half typed; values that were sent in vain (too
 * fast, or after the session ended) are in their form again; a button copies keys and addresses; Escape closes the menu of a
 * phone; and times are shown in this browser's zone if no other is known.
 */
const SENT = 'hf_sent'

/** @param {string} text */
function say(text) {
  const live = document.getElementById('live')
  if (live) live.textContent = text
}

document.addEventListener('submit', (event) => {
  const form = event.target
  if (!(form instanceof HTMLFormElement) || form.dataset.once === undefined) return
  if (form.dataset.sent !== undefined) return event.preventDefault()
  // A date without its year is sent as none, and would be saved as none. A file that is too large would be sent for nothing.
  const half = [...form.querySelectorAll('input')].find(
    ({ validity }) => validity.badInput || validity.customError,
  )
  if (half) {
    event.preventDefault()
    half.reportValidity()
    return
  }
  form.dataset.sent = ''
  // After a change of screen nothing is stored.
  if (whose() !== null && !form.closest('#navigation')) keep(form)
  event.submitter?.setAttribute('aria-disabled', 'true')
  say(form.dataset.once)
})

/** `<input type="file" data-most="bytes" data-too-large="Must be …">` */
document.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.dataset.most === undefined) return
  const isTooLarge = (target.files?.[0]?.size ?? 0) > Number(target.dataset.most)
  target.setCustomValidity(isTooLarge ? (target.dataset.tooLarge ?? '') : '')
  target.reportValidity()
})

// A page that comes back from the browser's memory can be sent again, and so can a form whose sending was stopped.
function release() {
  for (const form of document.querySelectorAll('form[data-sent]')) form.removeAttribute('data-sent')
  for (const button of document.querySelectorAll('[aria-disabled]')) button.removeAttribute('aria-disabled')
}
addEventListener('pageshow', release)
Reflect.get(globalThis, 'navigation')?.addEventListener('navigateerror', release)

/** The member and the mode of this page; null before signing in. */
function whose() {
  return document.getElementById('navigation')?.dataset.of ?? null
}

/** @param {string} own */
function memberIn(own) {
  return own.split(' ')[0]
}

/** What can be typed or chosen in a form, but for secrets and files. @param {HTMLFormElement} form */
function fieldsOf(form) {
  const fields = [...form.elements].map((one) => /** @type {HTMLInputElement} */ (one))
  return fields.filter(
    ({ name, type, dataset }) =>
      name && dataset.secret === undefined && !/^(hidden|password|submit|fieldset|file)$/.test(type),
  )
}

/** @param {HTMLInputElement} field */
function isBox({ type }) {
  return type === 'checkbox' || type === 'radio'
}

/**
 * A field's key: its name, the value of a box or choice, and the number of equal fields before it. The page may have more
 * or fewer fields when it is filled in again.
 * @param {HTMLFormElement} form
 */
function keyedFieldsOf(form) {
  /** @type {Map<string, HTMLInputElement>} */
  const fields = new Map()
  for (const field of fieldsOf(form)) {
    const name = isBox(field) ? `${field.name}=${field.value}` : field.name
    let before = 0
    while (fields.has(`${before} ${name}`)) before += 1
    fields.set(`${before} ${name}`, field)
  }
  return fields
}

/** @param {HTMLInputElement} field */
function contentOf(field) {
  return isBox(field) ? field.checked : field.value
}

/** @param {HTMLInputElement} field @param {any} content */
function fill(field, content) {
  if (isBox(field)) {
    field.checked = content
    return
  }
  const { value } = field
  field.value = content
  // What was chosen may no longer be on offer.
  if (field.value !== content) field.value = value
}

/** What led to this page, whose address a refusal has, and not that of the screen with the form. */
const last = read()

function screen() {
  const here = new URL(location.href)
  // The notice of what was done is shown once.
  here.searchParams.delete('done')
  const address = here.pathname + here.search
  return last?.action === address ? { at: last.at, before: last } : { at: address, before: null }
}

/** By it what a form makes is made once, however often it is sent. @param {HTMLFormElement} form */
function onceKeyOf(form) {
  return /** @type {HTMLInputElement | null} */ (form.elements.namedItem('form_key'))
}

/** @param {HTMLFormElement} form */
function keep(form) {
  const fields = [...keyedFieldsOf(form)].map(([key, field]) => [key, contentOf(field)])
  const contents = Object.fromEntries(fields)
  const action = form.getAttribute('action')
  const { at, before } = screen()
  // A screen may show a form only once another one was sent: then that is filled in again.
  const led = before && { action: before.action, contents: before.contents }
  write({ at, of: whose(), action, contents, once: onceKeyOf(form)?.value, led })
}

/** @param {object | null} sent */
function write(sent) {
  try {
    if (sent) sessionStorage.setItem(SENT, JSON.stringify(sent))
    else sessionStorage.removeItem(SENT)
  } catch {
    // Then it is gone.
  }
}

function read() {
  try {
    return JSON.parse(sessionStorage.getItem(SENT) ?? 'null')
  } catch {
    return null
  }
}

/** The sign-in page says that the form was not carried out; after signing in, the member is led back to it once. */
function restore() {
  const sent = read()
  if (!sent) return
  if (document.querySelector('[data-unsent]') || location.search === '?unsent') {
    return write({ ...sent, waits: true })
  }
  const own = whose()
  if (own === null) return
  const { at, of, waits, isLed } = sent
  if (!waits || memberIn(of) !== memberIn(own)) return write(null)
  // After signing in, the mode is live: a form of the sandbox waits until the sandbox is shown.
  if (of !== own) return
  if (!isLed && location.pathname + location.search !== at) {
    write({ ...sent, isLed: true })
    return location.replace(at)
  }
  write(null)
  if (!refill(sent) && sent.led) refill(sent.led)
}

/** Whether the form is there. @param {{ action: string, contents: Record<string, any>, once?: string }} sent */
function refill({ action, contents, once }) {
  const forms = [...document.forms].filter(({ dataset }) => dataset.once !== undefined)
  const form = forms.find((one) => one.getAttribute('action') === action)
  if (!form) return false
  const onceKey = onceKeyOf(form)
  // It may have come of it all the same.
  if (onceKey && once) onceKey.value = once
  for (const [key, field] of keyedFieldsOf(form)) {
    if (contents[key] === undefined || contents[key] === contentOf(field)) continue
    fill(field, contents[key])
    unfold(field)
  }
  unfold(form)
  fieldsOf(form)[0]?.focus()
  return true
}

/** @param {Element} within */
function unfold(within) {
  const fold = within.closest('details')
  if (!fold) return
  fold.open = true
  if (fold.parentElement) unfold(fold.parentElement)
}
restore()

// Of more parts than a phone has room for, the one that is shown is in sight. Only the row is scrolled:
// after `scrollIntoView` Chromium 150 continues with Tab behind the element, past the skip link.
const part = document.querySelector('.tabs [aria-current]')
const row = part?.closest('.tabs')
if (part && row) {
  const [shown, around] = [part.getBoundingClientRect(), row.getBoundingClientRect()]
  row.scrollLeft += shown.left + shown.width / 2 - around.left - around.width / 2
}

/** `<button type="button" data-copy="what" data-copied="Copied" hidden>` */
for (const button of document.querySelectorAll('button[data-copy]')) button.removeAttribute('hidden')

document.addEventListener('click', async ({ target }) => {
  const button = target instanceof Element ? target.closest('button[data-copy]') : null
  if (!(button instanceof HTMLButtonElement)) return
  await navigator.clipboard.writeText(button.dataset.copy ?? '')
  const said = button.dataset.copied ?? ''
  button.dataset.done = said
  say(said)
  setTimeout(() => delete button.dataset.done, 2000)
})

/*
 * `<form data-on-change>`, which only looks for something, needs no button. A date changes with each part that is typed: it is
 * sent with Enter or the button. What was changed has the focus again on the next page.
 */
const CHANGED = 'hf_changed'
/** @type {EventTarget | null} */
let typedDate = null
document.addEventListener('keydown', ({ target }) => {
  typedDate = target instanceof HTMLInputElement && target.type === 'date' ? target : null
})
document.addEventListener('pointerdown', () => {
  typedDate = null
})

document.addEventListener('change', ({ target }) => {
  const form = target instanceof Element ? target.closest('form[data-on-change]') : null
  if (!(form instanceof HTMLFormElement) || target === typedDate) return
  try {
    if (form.checkValidity()) sessionStorage.setItem(CHANGED, /** @type {Element} */ (target).id)
  } catch {
    // Then the next page begins at its top.
  }
  form.requestSubmit()
})

try {
  const changed = document.getElementById(sessionStorage.getItem(CHANGED) ?? '')
  sessionStorage.removeItem(CHANGED)
  if (changed?.closest('form[data-on-change]')) changed.focus()
} catch {
  // Nothing is remembered.
}

/** `<button type="button" data-insert="text">`: into the field of its form that was last typed in. */
/** @type {HTMLInputElement | HTMLTextAreaElement | null} */
let typedIn = null
document.addEventListener('focusin', ({ target }) => {
  if (target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type === 'text'))
    typedIn = target
})

document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest('button[data-insert]') : null
  if (!(button instanceof HTMLButtonElement)) return
  const field = typedIn?.form === button.form ? typedIn : button.form?.querySelector('textarea')
  if (!field) return
  field.setRangeText(button.dataset.insert ?? '', field.selectionStart ?? 0, field.selectionEnd ?? 0, 'end')
  field.focus()
})

/** Where such buttons are, what is typed after two braces is completed: the rest is selected, so that typing goes on. */
document.addEventListener('input', (event) => {
  const field = event.target
  const isTyped = event instanceof InputEvent && event.inputType.startsWith('insert') && !event.isComposing
  if (!isTyped || !(field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement)) return
  const at = field.selectionStart ?? 0
  const [typed] = /\{\{\w+$/.exec(field.value.slice(0, at)) ?? []
  if (!typed) return
  const buttons = field.form?.querySelectorAll('button[data-insert]') ?? []
  const all = [...buttons].map((button) => /** @type {HTMLElement} */ (button).dataset.insert ?? '')
  const [whole, ...others] = all.filter((one) => one.startsWith(typed))
  if (!whole || others.length > 0) return
  field.setRangeText(whole.slice(typed.length), at, at, 'select')
  say(whole)
})

/** `<p id data-poll>`: is read again until it is no longer under way, which loads the page. */
async function poll() {
  const shown = document.querySelector('[data-poll]')
  if (!shown) return
  await new Promise((done) => setTimeout(done, 2000))
  const answer = await fetch(location.href).catch(() => null)
  // A failure that passes replaces no page.
  if (!answer || answer.status === 429 || answer.status >= 500) return poll()
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const fresh = page.getElementById(shown.id)
  if (!fresh?.matches('[data-poll]')) return location.reload()
  if (fresh.textContent !== shown.textContent) shown.replaceChildren(...fresh.childNodes)
  return poll()
}
poll()

/** `<button type="button" data-clear hidden>`: empties the fields beside it. */
for (const button of document.querySelectorAll('button[data-clear]')) button.removeAttribute('hidden')

document.addEventListener('click', ({ target }) => {
  const fields = target instanceof Element ? target.closest('[data-clear]')?.parentElement : null
  for (const input of fields?.querySelectorAll('input') ?? []) input.value = ''
})

/*
 * The tabs of an editor, `<nav data-switch="address">` with links `data-to`: what was changed in the form `#editor` is sent
 * along, so that it is in the next tab's form.
 */
const editor = document.getElementById('editor')
const tabs = document.querySelector('[data-switch]')
if (editor instanceof HTMLFormElement && tabs instanceof HTMLElement) {
  const contentsOf = (/** @type {HTMLFormElement} */ form) =>
    JSON.stringify([...keyedFieldsOf(form)].map(([key, field]) => [key, contentOf(field)]))
  // What is filled in again, by the browser after going back or by `restore`, is not saved either.
  const saved = /** @type {HTMLFormElement} */ (editor.cloneNode(true))
  saved.reset()
  const shown = contentsOf(saved)
  const isChanged = () => contentsOf(editor) !== shown
  const markUnsaved = () => {
    const mark = tabs.querySelector('[aria-current] .unsaved')
    if (mark instanceof HTMLElement && tabs.dataset.unsaved === undefined) mark.hidden = !isChanged()
  }
  editor.addEventListener('input', markUnsaved)
  addEventListener('pageshow', markUnsaved)
  tabs.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[data-to]') : null
    const isElsewhere = event.metaKey || event.ctrlKey || event.shiftKey
    if (!(link instanceof HTMLElement) || isElsewhere) return
    if (tabs.dataset.unsaved === undefined && !isChanged()) return
    event.preventDefault()
    const button = document.createElement('button')
    button.formAction = tabs.dataset.switch ?? ''
    button.name = 'to'
    button.value = link.dataset.to ?? ''
    button.hidden = true
    editor.append(button)
    editor.requestSubmit(button)
  })
}

/** `<button type="button" data-copy-day hidden>`: gives all other days of the week the times of its own. */
for (const button of document.querySelectorAll('button[data-copy-day]')) button.removeAttribute('hidden')

document.addEventListener('click', ({ target }) => {
  const day = target instanceof Element ? target.closest('[data-copy-day]')?.closest('.weekday') : null
  if (!day) return
  const times = [...day.querySelectorAll('.times-row')]
    .map((row) => [...row.querySelectorAll('input')].map(({ value }) => value))
    .filter((row) => row.some((value) => value !== ''))
  for (const other of day.parentElement?.querySelectorAll('.weekday') ?? []) {
    if (other === day) continue
    other.querySelectorAll('.times-row').forEach((row, at) => {
      row.querySelectorAll('input').forEach((input, nth) => {
        input.value = times[at]?.[nth] ?? ''
      })
      if (times[at]) unfold(row)
    })
  }
  day.dispatchEvent(new Event('input', { bubbles: true }))
})

/*
 * `<ul data-sort>` in a form with a field `order`: its rows are dragged, and their `data-id` are sent in their new order.
 * Each list keeps its own rows. Without this, the buttons of the rows do the same.
 */
/** @type {HTMLElement | null} */
let dragged = null

for (const row of document.querySelectorAll('[data-sort] > [data-id]')) row.setAttribute('draggable', 'true')
for (const hint of document.querySelectorAll('[data-sort-hint]')) hint.removeAttribute('hidden')

document.addEventListener('dragstart', ({ target, dataTransfer }) => {
  const row = target instanceof Element ? target.closest('[data-sort] > [data-id]') : null
  if (!(row instanceof HTMLElement)) return
  dragged = row
  row.classList.add('dragged')
  // What a browser would drag otherwise is the link.
  dataTransfer?.setData('text/plain', '')
})

document.addEventListener('dragover', (event) => {
  const over = event.target instanceof Element ? event.target.closest('[data-sort] > [data-id]') : null
  if (!dragged || !over || over.parentElement !== dragged.parentElement) return
  event.preventDefault()
  if (over === dragged) return
  const { top, height } = over.getBoundingClientRect()
  if (event.clientY < top + height / 2) over.before(dragged)
  else over.after(dragged)
})

document.addEventListener('drop', (event) => {
  if (dragged) event.preventDefault()
})

document.addEventListener('dragend', () => {
  const form = dragged?.closest('form')
  dragged?.classList.remove('dragged')
  dragged = null
  const order = form?.elements.namedItem('order')
  if (!form || !(order instanceof HTMLInputElement)) return
  const rows = [...form.querySelectorAll('[data-sort] > [data-id]')]
  order.value = rows.map((row) => row.getAttribute('data-id')).join()
  form.requestSubmit()
})

document.addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape') return
  if (location.hash === '#navigation') location.hash = '#main'
  for (const open of document.querySelectorAll('details[open][data-closes]')) open.removeAttribute('open')
})

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
if (zone) {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the store of cookies is not in every browser yet
  document.cookie = `hf_zone=${encodeURIComponent(zone)}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`
}

// What the service guessed from the network, this browser knows.
for (const field of document.querySelectorAll('select[data-guess]')) {
  const select = /** @type {HTMLSelectElement} */ (field)
  if ([...select.options].some(({ value }) => value === zone)) select.value = zone
}

// Few pages need it.
if (document.querySelector('[data-passkey]')) import(`./passkeys.js${new URL(import.meta.url).search}`)
