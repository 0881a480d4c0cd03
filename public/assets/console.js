// @ts-check
/*
 * The console works without this. With it, a form is sent once and with no date half typed, what is to be taken along is
 * copied by a button, the menu of a phone closes by Escape, and times are told in the zone of this browser where nothing
 * else is known.
 */

/** @param {string} text */
function say(text) {
  const live = document.getElementById('live')
  if (live) live.textContent = text
}

document.addEventListener('submit', (event) => {
  const form = event.target
  if (!(form instanceof HTMLFormElement) || form.dataset.once === undefined) return
  if (form.dataset.sent !== undefined) return event.preventDefault()
  // A date without its year is sent as none, and would be saved as none.
  const half = [...form.querySelectorAll('input')].find(({ validity }) => validity.badInput)
  if (half) {
    event.preventDefault()
    half.reportValidity()
    return
  }
  form.dataset.sent = ''
  event.submitter?.setAttribute('aria-disabled', 'true')
  say(form.dataset.once)
})

// A page that comes back from the browser's memory can be sent again.
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-sent]')) form.removeAttribute('data-sent')
  for (const button of document.querySelectorAll('[aria-disabled]')) button.removeAttribute('aria-disabled')
})

// Of more parts than a phone has room for, the one that is shown is in sight.
document.querySelector('.tabs [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })

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

/** `<select data-go>` and boxes in a form that only looks for something: they need no button. */
document.addEventListener('change', ({ target }) => {
  const form = target instanceof Element ? target.closest('form[data-on-change]') : null
  if (form instanceof HTMLFormElement) form.requestSubmit()
})

/** `<button type="button" data-clear hidden>`: empties the fields beside it. */
for (const button of document.querySelectorAll('button[data-clear]')) button.removeAttribute('hidden')

document.addEventListener('click', ({ target }) => {
  const fields = target instanceof Element ? target.closest('[data-clear]')?.parentElement : null
  for (const input of fields?.querySelectorAll('input') ?? []) input.value = ''
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
if (zone && !/(^|; )hf_tz=/.test(document.cookie)) {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the store of cookies is not in every browser yet
  document.cookie = `hf_tz=${encodeURIComponent(zone)}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`
}

// What the service guessed from the network, this browser knows.
for (const field of document.querySelectorAll('select[data-guess]')) {
  const select = /** @type {HTMLSelectElement} */ (field)
  if ([...select.options].some(({ value }) => value === zone)) select.value = zone
}

// Few pages need it.
if (document.querySelector('[data-passkey]')) import(`./passkeys.js${new URL(import.meta.url).search}`)
