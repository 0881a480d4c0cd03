// @ts-check

const query = new URLSearchParams(location.search)
const isFramed = query.get('embed') === '1' && window.parent !== window
const host = hostOrigin(query.get('host'))
let height = 0

/** @param {string | null} text */
function hostOrigin(text) {
  const url = text ? URL.parse(text) : null
  return url && /^https?:$/.test(url.protocol) ? url.origin : null
}

/**
 * Sends the embedding site the height of the page and what happens on it. Only the site that the frame was made for gets
 * these messages; none contains a token or a name.
 */
function tellHost() {
  if (!isFramed || host === null) return
  const [, , org, event] = location.pathname.split('/')
  const { booked, leave } = document.getElementById('main')?.dataset ?? {}
  const time = new URLSearchParams(location.search).get('time')
  const failed = document.querySelector('[data-failed]')?.getAttribute('data-failed')
  // Of a page that is not there, nothing was seen.
  if (!document.querySelector('.narrow[data-failed]'))
    tellOnce('viewed', { org, event: event ?? null }, `${org}/${event}`)
  if (booked) tellOnce('booked', { ...JSON.parse(booked) }, booked)
  else if (failed) send('failed', { detail: { code: failed } })
  else if (time) tellOnce('time_selected', { start_time: time }, time)
  if (leave) send('leave', { to: leave })
  tellHeight()
}

/** @type {Record<string, string>} */
const last = {}

/**
 * @param {string} type
 * @param {object} detail
 * @param {string} what
 */
function tellOnce(type, detail, what) {
  if (last[type] === what) return
  last[type] = what
  send(type, { detail })
}

function tellHeight() {
  const now = Math.ceil(document.body.getBoundingClientRect().height)
  if (now === height) return
  height = now
  send('resize', { height: now, language: document.documentElement.lang })
}

/**
 * @param {string} type
 * @param {object} data
 */
function send(type, data) {
  if (host !== null) window.parent.postMessage({ source: 'holdfast', type, ...data }, host)
}

if (isFramed) {
  tellHost()
  document.addEventListener('page:arrived', tellHost)
  document.addEventListener('page:day', (event) => {
    send('date_selected', { detail: { date: /** @type {CustomEvent} */ (event).detail } })
  })
  // The site around it turned dark or light.
  addEventListener('message', ({ source, origin, data }) => {
    const { source: from, type, theme } = Object(data)
    if (source !== window.parent || origin !== host || from !== 'holdfast-host' || type !== 'theme') return
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  })
  new ResizeObserver(tellHeight).observe(document.body)
  addEventListener('keydown', (event) => {
    const isOwn = document.querySelector('dialog[open]') !== null
    if (event.key === 'Escape' && !isOwn) send('close', {})
  })
}
