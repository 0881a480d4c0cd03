// @ts-check
/*
 * Puts a booking page on any site:
 *   <script src="https://…/embed.js" data-org="acme" data-event="intro-call" async></script>
 * data-mode="popup" shows a button instead (data-label names it), data-lang and data-tz set language and zone.
 * The site hears of a booking by the event `holdfast:booked` on the script's element, which bubbles.
 */
;(() => {
  const script = document.currentScript
  if (!(script instanceof HTMLScriptElement)) return
  const service = new URL(script.src).origin
  const { org = '', event: eventType, mode, label = 'Book a time', lang, tz, title } = script.dataset
  const isSlug = (/** @type {string} */ text) => /^[a-z0-9-]{1,63}$/.test(text)
  if (!isSlug(org) || (eventType && !isSlug(eventType))) {
    console.error('holdfast: data-org and data-event take the slugs of a booking page')
    return
  }

  const address = new URL(`/book/${org}${eventType ? `/${eventType}` : ''}`, service)
  address.searchParams.set('embed', '1')
  address.searchParams.set('host', location.origin)
  if (lang) address.searchParams.set('lang', lang)
  if (tz) address.searchParams.set('tz', tz)

  const CLOSE = { en: 'Close', de: 'Schließen', fr: 'Fermer', es: 'Cerrar', ja: '閉じる', ar: 'إغلاق' }
  let closeLabel = closeIn(lang ?? navigator.language)

  /** @param {unknown} language */
  function closeIn(language) {
    const found = Object.entries(CLOSE).find(([one]) => one === String(language).split('-')[0])
    return found ? found[1] : CLOSE.en
  }

  /** @type {HTMLButtonElement | null} */
  let close = null
  /** @type {HTMLIFrameElement | null} */
  let frame = null
  /** @type {HTMLDialogElement | null} */
  let dialog = null

  function makeFrame() {
    const made = document.createElement('iframe')
    made.src = address.href
    made.title = title ?? label
    made.allow = 'payment'
    Object.assign(made.style, {
      display: 'block',
      width: '100%',
      height: '44rem',
      border: '0',
      colorScheme: 'light dark',
    })
    frame = made
    return made
  }

  function openDialog() {
    if (!dialog) {
      dialog = document.createElement('dialog')
      dialog.setAttribute('aria-label', title ?? label)
      Object.assign(dialog.style, {
        width: 'min(68rem, calc(100vw - 2rem))',
        maxHeight: 'calc(100vh - 2rem)',
        padding: '0.5rem',
        border: '0',
        borderRadius: '1rem',
        overflow: 'auto',
      })
      close = document.createElement('button')
      close.type = 'button'
      close.textContent = '×'
      close.setAttribute('aria-label', closeLabel)
      Object.assign(close.style, {
        display: 'block',
        marginInlineStart: 'auto',
        font: '1.5rem/1 system-ui',
        width: '2.5rem',
        height: '2.5rem',
        border: '0',
        background: 'none',
        color: 'inherit',
        cursor: 'pointer',
      })
      close.addEventListener('click', () => dialog?.close())
      dialog.append(close, makeFrame())
      dialog.addEventListener('click', (event) => event.target === dialog && dialog?.close())
      document.body.append(dialog)
    }
    dialog.showModal()
  }

  addEventListener('message', (event) => {
    if (event.origin !== service || !frame || event.source !== frame.contentWindow) return
    const { source, type, height, booking, language } = Object(event.data)
    if (source !== 'holdfast') return
    if (type === 'resize' && Number.isFinite(height)) frame.style.height = `${Math.max(200, height)}px`
    if (type === 'resize' && language) {
      closeLabel = closeIn(language)
      close?.setAttribute('aria-label', closeLabel)
    }
    if (type === 'close') dialog?.close()
    if (type === 'booked') {
      script.dispatchEvent(new CustomEvent('holdfast:booked', { bubbles: true, detail: booking }))
    }
  })

  if (mode === 'popup') {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = label
    button.addEventListener('click', openDialog)
    script.after(button)
  } else {
    script.after(makeFrame())
  }
})()
