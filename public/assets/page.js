// @ts-check
/*
 * The pages work without this. With it, choosing a month, a day or a time replaces the content instead of loading a page;
 * `page:arrived` tells the other scripts of new content.
 */
const ZONE_COOKIE = 'hf_tz'

/** What the content stands for; a jump within it is no reason to load it again. */
let shown = location.pathname + location.search

/** @type {AbortController | null} */
let running = null

function main() {
  return /** @type {HTMLElement} */ (document.getElementById('main'))
}

/** @param {string} text */
function announce(text) {
  const live = document.getElementById('live')
  if (live) live.textContent = text
}

/**
 * Shows what is at the address in place of what is there; whatever goes wrong becomes an ordinary visit.
 * @param {string} address
 * @param {{ push?: boolean, replace?: boolean, key?: string | null }} [how]
 */
async function swap(address, how = {}) {
  running?.abort()
  const mine = new AbortController()
  running = mine
  main().setAttribute('aria-busy', 'true')
  try {
    const response = await fetch(address, { signal: mine.signal, headers: { Accept: 'text/html' } })
    if (!response.ok) throw new Error(String(response.status))
    const next = new DOMParser().parseFromString(withoutStyle(await response.text()), 'text/html')
    const content = next.getElementById('main')
    if (!content) throw new Error('no content')
    if (how.push) history.pushState(null, '', address)
    if (how.replace) history.replaceState(null, '', address)
    shown = location.pathname + location.search
    document.title = next.title
    document.documentElement.lang = next.documentElement.lang
    document.documentElement.dir = next.documentElement.dir
    for (const place of ['main', 'footer']) {
      const fresh = next.querySelector(place)
      if (fresh) document.querySelector(place)?.replaceWith(fresh)
    }
    arrive(how.key ?? null)
  } catch {
    if (mine.signal.aborted) return
    location.href = address
  }
}

/**
 * The colors stay as they are; the policy of this page would not take the nonce of another.
 * @param {string} text
 */
function withoutStyle(text) {
  return text.replace(/<style[\s\S]*?<\/style>/, '')
}

/**
 * After new content: where the focus goes, and what is said.
 * @param {string | null} key
 */
function arrive(key) {
  document.dispatchEvent(new Event('page:arrived'))
  refreshSoon()
  restoreTyped()
  const target = main().querySelector('[data-focus]')
  const same = key && main().querySelector(`[data-key="${CSS.escape(key)}"]`)
  if (target instanceof HTMLElement) {
    target.focus()
    if (target.getBoundingClientRect().top < 0) target.scrollIntoView()
  } else if (same instanceof HTMLElement) {
    same.focus()
  } else if (key) {
    const fallback = main().querySelector('[data-grid] [tabindex="0"]')
    if (fallback instanceof HTMLElement) fallback.focus()
  }
  if (key && /^\d{4}-/.test(key)) showTimes()
  const told = [...main().querySelectorAll('[data-announce]')].map(
    // What is written for the eye may be shorter than what is said.
    (element) => (element.querySelector('.unseen') ?? element).textContent?.trim(),
  )
  if (key) announce(told.join('. '))
}

document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a[data-swap]') : null
  if (!(link instanceof HTMLAnchorElement)) return
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  swap(link.href, { push: true, key: link.dataset.key ?? 'content' })
})

document.addEventListener('change', (event) => {
  const field = event.target
  if (!(field instanceof HTMLSelectElement) || !field.form?.hasAttribute('data-on-change')) return
  if (field.name === 'tz') remember(field.value)
  const query = new URLSearchParams()
  for (const [name, value] of new FormData(field.form)) query.set(name, String(value))
  const address = `${location.pathname}?${query}`
  if (field.name === 'lang') location.href = address
  else swap(address, { push: true, key: field.dataset.key ?? 'content' })
})

/** @param {string} zone */
function remember(zone) {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the other way is not there in every browser.
  document.cookie = `${ZONE_COOKIE}=${encodeURIComponent(zone)}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`
}

/** On a small screen the times stand below the month, out of sight. */
function showTimes() {
  const times = main().querySelector('.times')
  if (!times || times.getBoundingClientRect().top < innerHeight - 120) return
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  times.scrollIntoView({ block: 'start', behavior: isCalm ? 'auto' : 'smooth' })
}

/** What was typed outlives a change of the time. */
const typed = /** @type {Map<string, string>} */ (new Map())
document.addEventListener('input', ({ target }) => {
  if (isTyped(target)) typed.set(target.name, target.value)
})

function restoreTyped() {
  for (const field of main().querySelectorAll('form[method="post"] :is(input, textarea)')) {
    if (isTyped(field) && field.value === '') field.value = typed.get(field.name) ?? ''
  }
}

/**
 * @param {unknown} field
 * @returns {field is HTMLInputElement | HTMLTextAreaElement}
 */
function isTyped(field) {
  if (field instanceof HTMLTextAreaElement) return true
  return field instanceof HTMLInputElement && (field.type === 'text' || field.type === 'email')
}

/** A form that is on its way is not sent again. Without script, its hidden key sees to that. */
document.addEventListener('submit', (event) => {
  const form = event.target
  if (!(form instanceof HTMLFormElement) || form.dataset.once === undefined) return
  const button = event.submitter ?? form.querySelector('button[type="submit"]')
  if (form.dataset.sent !== undefined) {
    event.preventDefault()
    return
  }
  form.dataset.sent = ''
  if (button instanceof HTMLButtonElement) {
    button.setAttribute('aria-disabled', 'true')
    button.textContent = form.dataset.once
  }
  announce(form.dataset.once)
})

addEventListener('popstate', () => {
  if (location.pathname + location.search !== shown) swap(location.href, { key: 'content' })
})
// Who comes back by the history finds the form as it was before it was sent.
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

/** The browser knows its zone; the server could only guess it. */
function correctZone() {
  const { zone, zoneIsGuess } = main().dataset
  if (zone === undefined || zoneIsGuess === undefined) return
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  if (!own) return
  remember(own)
  if (own === zone) return
  const address = new URL(location.href)
  address.searchParams.set('tz', own)
  swap(address.href, { replace: true })
}

const first = main().querySelector('[data-focus]')
if (first instanceof HTMLElement && first.closest('.problems, .notice')) first.focus()
correctZone()
refreshSoon()
