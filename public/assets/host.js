// @ts-check

const query = new URLSearchParams(location.search)
const isFramed = query.get('embed') === '1' && window.parent !== window
const host = hostOrigin(query.get('host'))
let height = 0
let told = ''

/** @param {string | null} text */
function hostOrigin(text) {
  const url = text ? URL.parse(text) : null
  return url && /^https?:$/.test(url.protocol) ? url.origin : null
}

/**
 * Tells the site around the frame how tall the page is, and when something was booked. Only the site that the
 * frame was made for gets to know; no message carries a token or a name.
 */
function tellHost() {
  if (!isFramed || host === null) return
  const booked = document.getElementById('main')?.dataset.booked
  if (booked && booked !== told) {
    told = booked
    send('booked', { booking: JSON.parse(booked) })
  }
  tellHeight()
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
  new ResizeObserver(tellHeight).observe(document.body)
  addEventListener('keydown', (event) => {
    if (event.key === 'Escape') send('close', {})
  })
}
