// @ts-check
/*
 * The pages work without this. With it, choosing a month or a time replaces the content instead of loading a page.
 * Other scripts get `page:arrived` when there is new content; they load an address with `page:go`, and show a page that
 * they got with `page:show`.
 */
const CHOSEN_ZONE = 'hf_tz'
const OWN_ZONE = 'hf_zone'

/** The address of the content; a jump within it does not load it again. */
let shown = location.pathname + location.search

/** @type {AbortController | null} */
let running = null

/** @typedef {{ push?: boolean, replace?: boolean, key?: string | null }} How */

function main() {
  return /** @type {HTMLElement} */ (document.getElementById('main'))
}

function live() {
  return /** @type {HTMLElement} */ (document.getElementById('live'))
}

/** @param {string} text */
function announce(text) {
  live().textContent = text
}

/**
 * Shows what is at the address in place of what is there. Without a connection everything stays as it is; whatever
 * else goes wrong becomes an ordinary visit.
 * @param {string} address
 * @param {How} [how]
 */
async function swap(address, how = {}) {
  running?.abort()
  const mine = new AbortController()
  running = mine
  main().setAttribute('aria-busy', 'true')
  let text = ''
  try {
    const response = await fetch(address, { signal: mine.signal, headers: { Accept: 'text/html' } })
    if (!response.ok) throw new RangeError(String(response.status))
    text = await response.text()
  } catch (error) {
    if (mine.signal.aborted) return
    if (error instanceof RangeError) location.href = address
    else tell(live().dataset.offline ?? '', () => swap(address, how))
    return
  }
  if (!show(text, address, how)) location.href = address
}

/**
 * @param {string} text
 * @param {string | null} address where it is; null where it stands at the present address
 * @param {How} how
 */
function show(text, address, how) {
  const next = new DOMParser().parseFromString(withoutStyle(text), 'text/html')
  const content = next.getElementById('main')
  if (!content) return false
  if (address && how.push) history.pushState(null, '', address)
  if (address && how.replace) history.replaceState(null, '', address)
  shown = location.pathname + location.search
  document.title = next.title
  document.documentElement.lang = next.documentElement.lang
  document.documentElement.dir = next.documentElement.dir
  for (const place of ['main', 'footer']) {
    const fresh = next.querySelector(place)
    if (fresh) document.querySelector(place)?.replaceWith(fresh)
  }
  arrive(how.key ?? null)
  return true
}

/**
 * The colors stay as they are; the policy of this page would not take the nonce of another.
 * @param {string} text
 */
function withoutStyle(text) {
  return text.replace(/<style[\s\S]*?<\/style>/, '')
}

/**
 * Says within the page what went wrong, and offers to try again; nothing of the page is lost.
 * @param {string} text
 * @param {() => void} again
 */
function tell(text, again) {
  main().removeAttribute('aria-busy')
  main().querySelector('[data-told]')?.remove()
  const box = document.createElement('div')
  box.className = 'problems'
  box.dataset.told = ''
  box.tabIndex = -1
  box.setAttribute('role', 'alert')
  const said = document.createElement('h2')
  said.textContent = text
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'quiet'
  button.textContent = live().dataset.again ?? ''
  button.addEventListener('click', () => {
    box.remove()
    again()
  })
  box.append(said, button)
  const form = main().querySelector('form[data-once]:not([hidden])')
  if (form) form.before(box)
  else (main().querySelector('.pane, .card') ?? main()).prepend(box)
  box.focus()
}

/**
 * After new content: where the focus goes, and what is said.
 * @param {string | null} key
 */
function arrive(key) {
  document.dispatchEvent(new Event('page:arrived'))
  refreshSoon()
  leaveSoon()
  const target = main().querySelector('[data-focus]')
  const isDay = key !== null && /^\d{4}-/.test(key)
  const same = key && main().querySelector(`[data-key="${CSS.escape(key)}"], [data-day="${CSS.escape(key)}"]`)
  if (target instanceof HTMLElement) {
    target.focus({ preventScroll: true })
    if (target.getBoundingClientRect().top < 0 || !isVisible(target)) {
      const card = main().querySelector('.pane') ?? target
      card.scrollIntoView({ block: 'start' })
    }
  } else if (same instanceof HTMLElement && same.tabIndex >= -1) {
    if (isDay) for (const day of days()) day.tabIndex = day === same ? 0 : -1
    same.focus()
  } else if (key) {
    days()
      .find((day) => day.tabIndex === 0)
      ?.focus()
  }
  const told = [...main().querySelectorAll('[data-announce]')].map(
    // What is written for the eye may be shorter than what is said.
    (element) => (element.querySelector('.unseen') ?? element).textContent?.trim(),
  )
  if (key && told.length > 0) announce(told.join('. '))
}

function days() {
  return /** @type {HTMLElement[]} */ ([...main().querySelectorAll('[data-grid] [data-day]')])
}

/** @param {HTMLElement} element */
function isVisible(element) {
  const { top, bottom } = element.getBoundingClientRect()
  return top >= 0 && bottom <= innerHeight
}

document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a[data-swap]') : null
  if (!(link instanceof HTMLAnchorElement)) return
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  // A script that has the content already shows it without a request.
  const isShown = !document.dispatchEvent(new CustomEvent('page:choose', { cancelable: true, detail: link }))
  if (!isShown) swap(link.href, { push: true, key: link.dataset.key ?? 'content' })
})

document.addEventListener('change', (event) => {
  const field = event.target
  if (!(field instanceof HTMLSelectElement) || !field.form?.hasAttribute('data-on-change')) return
  if (field.name === 'tz') remember(CHOSEN_ZONE, field.value)
  const query = new URLSearchParams()
  // Several answers of one question share its name.
  for (const [name, value] of new FormData(field.form)) query.append(name, String(value))
  const address = `${location.pathname}?${query}`
  if (field.name === 'lang') location.href = address
  // The search of zones has its key at its button.
  else swap(address, { push: true, key: field.dataset.key ?? field.name })
})

document.addEventListener('page:go', (event) => {
  const { address, ...how } = /** @type {CustomEvent} */ (event).detail
  swap(address, how)
})

document.addEventListener('page:show', (event) => {
  const { text, address, tells, again } = /** @type {CustomEvent} */ (event).detail
  if (tells !== undefined) return tell(tells || (live().dataset.offline ?? ''), again)
  // Content requested in the meantime would replace it.
  running?.abort()
  show(text, address, { push: address !== null, key: 'content' })
})

/**
 * @param {string} cookie
 * @param {string} zone
 */
function remember(cookie, zone) {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the other way is not there in every browser.
  document.cookie = `${cookie}=${encodeURIComponent(zone)}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`
}

addEventListener('popstate', () => {
  if (location.pathname + location.search !== shown) swap(location.href, { key: 'content' })
})
// A page from the history has the form as it was before it was sent.
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload()
})

const REFRESH_MS = 2000
let refreshes = 0

/** What is about to change is asked for again, for a minute. */
function refreshSoon() {
  if (main().dataset.refresh === undefined || refreshes >= 30) return
  refreshes += 1
  setTimeout(() => swap(location.href), REFRESH_MS)
}

/** Where booking leads on to another site. Around a frame, that site's own page does so. */
function leaveSoon() {
  const { leave } = main().dataset
  if (leave && !document.documentElement.classList.contains('embedded')) location.replace(leave)
}

/** The browser knows its zone, which may be another one since it was last here; the server could only guess it. */
function correctZone() {
  const { zone, zoneTold, zoneIsGuess } = main().dataset
  if (zone === undefined || zoneIsGuess === undefined) return
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  if (!own) return
  remember(OWN_ZONE, own)
  // Where people meet on site, the clock there is shown, whatever theirs is. The service may know a zone by another name.
  if (own === zone || own === zoneTold || zoneIsGuess === 'own') return
  const address = new URL(location.href)
  // Where the cookie is kept it says enough, and the zone stays a finding of the browser, not a choice.
  if (!document.cookie.includes(`${OWN_ZONE}=`)) address.searchParams.set('tz', own)
  swap(address.href, { replace: true })
}

/** A search of all zones is worth its weight only to who changes theirs. */
document.addEventListener('page:arrived', prepareZones)
function prepareZones() {
  const select = main().querySelector('select[data-zones]')
  if (!(select instanceof HTMLSelectElement) || !select.dataset.shown) return
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'quiet zone-button'
  button.dataset.key = 'tz'
  button.setAttribute('aria-haspopup', 'dialog')
  button.textContent = select.dataset.shown
  const label = main().querySelector('label[for="tz"]')
  if (label) {
    label.id = 'tz-label'
    button.id = 'tz-button'
    button.setAttribute('aria-labelledby', 'tz-label tz-button')
  }
  select.hidden = true
  select.removeAttribute('data-key')
  select.after(button)
  button.addEventListener('click', async () => {
    const version = new URL(import.meta.url).search
    const { openZones } = await import(`./zones.js${version}`)
    // The content may have been replaced since.
    const now = main().querySelector('.zone-button')
    if (button.isConnected) openZones(select, button)
    else if (now instanceof HTMLElement) now.click()
  })
}

const first = main().querySelector('[data-focus]')
if (first instanceof HTMLElement && first.closest('.problems, .notice')) first.focus()
correctZone()
refreshSoon()
prepareZones()
