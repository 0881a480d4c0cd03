// @ts-check
/*
 * Puts booking pages on any site:
 *   <script src="https://…/embed.js" data-org="acme" data-event="intro-call" async></script>
 * data-mode="popup" or "floating" shows a button instead. Without data-org the script only gives `Holdfast.open({ org,
 * event, … })`, and opens what any element with data-holdfast-link="org/event" leads to. The site hears of what happens by
 * events that bubble from the element they began at: holdfast:viewed, date_selected, time_selected, booked, failed.
 */
;(() => {
  /** @typedef {{ [name: string]: any }} Options */
  /** @typedef {{ frame: HTMLIFrameElement, options: Options, teller: EventTarget, isBooked: boolean, dialog?: HTMLDialogElement, close?: HTMLElement }} Place */

  const script = document.currentScript ?? document.querySelector('script[src*="/embed.js"]')
  if (!(script instanceof HTMLScriptElement)) return
  const service = new URL(script.src).origin
  const PASSED = [
    'lang',
    'tz',
    'color',
    'name',
    'email',
    'notes',
    'guests',
    'date',
    'month',
    'duration',
    'member',
    'preview',
    'clock',
  ]
  const CLOSE = { en: 'Close', de: 'Schließen', fr: 'Fermer', es: 'Cerrar', ja: '閉じる', ar: 'إغلاق' }
  const BOOK = {
    en: 'Book a time',
    de: 'Termin buchen',
    fr: 'Prendre rendez-vous',
    es: 'Reservar',
    ja: '予約する',
    ar: 'احجز موعدًا',
  }

  /** @type {Place[]} */
  const places = []

  /**
   * @param {Record<string, string>} words
   * @param {unknown} language
   */
  function word(words, language) {
    return words[String(language).split('-')[0] ?? ''] ?? words.en ?? ''
  }

  /** What an element's attributes ask for. @param {HTMLElement} element @returns {Options} */
  function optionsOf(element) {
    const { mode, label, title, holdfastLink, ...rest } = element.dataset
    const [org, event] = (holdfastLink ?? '').split('/')
    const named = (/** @type {string} */ start) =>
      Object.fromEntries(
        [...element.attributes].flatMap(({ name, value }) =>
          name.startsWith(start) ? [[name.slice(start.length), value]] : [],
        ),
      )
    const [metadata, answers] = [named('data-metadata-'), named('data-answers-')]
    return { ...(holdfastLink && { org, event }), ...rest, mode, label, title, metadata, answers }
  }

  /** @param {Options} options */
  function addressOf(options) {
    const { org = '', event, metadata = {}, answers = {}, hideDetails } = options
    const isSlug = (/** @type {string} */ text) => /^[a-z0-9-]{1,63}$/.test(text)
    if (!isSlug(org) || (event && !isSlug(event))) {
      console.error('holdfast: org and event take the slugs of a booking page')
      return null
    }
    const address = new URL(`/book/${org}${event ? `/${event}` : ''}`, service)
    const query = address.searchParams
    query.set('embed', '1')
    query.set('host', location.origin)
    query.set('theme', themeOf(options, document.body))
    for (const name of PASSED) if (options[name]) query.set(name, String(options[name]))
    for (const [key, value] of Object.entries(metadata)) query.set(`metadata[${key}]`, String(value))
    for (const [key, value] of Object.entries(answers)) {
      for (const one of [value].flat()) query.append(`answers[${key}]`, String(one))
    }
    if (hideDetails !== undefined && String(hideDetails) !== 'false') query.set('details', 'hide')
    return address.href
  }

  /**
   * Light or dark: as was asked for, else as the ground is that the frame lies on.
   * @param {Options} options
   * @param {Element | null} element
   */
  function themeOf({ theme }, element) {
    if (theme === 'light' || theme === 'dark') return theme
    for (let one = element; one; one = one.parentElement) {
      const found = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(
        getComputedStyle(one).backgroundColor,
      )
      if (!found || Number(found[4] ?? 1) < 0.5) continue
      const [r = 0, g = 0, b = 0] = found.slice(1, 4).map(Number)
      return 0.299 * r + 0.587 * g + 0.114 * b < 110 ? 'dark' : 'light'
    }
    const schemes = getComputedStyle(document.documentElement).colorScheme
    if (!schemes.includes('dark')) return 'light'
    return !schemes.includes('light') || matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  }

  /**
   * @param {Options} options
   * @param {EventTarget} teller
   * @returns {Place | null}
   */
  function place(options, teller) {
    const address = addressOf(options)
    if (!address) return null
    const frame = document.createElement('iframe')
    frame.src = address
    frame.title = options.title ?? options.label ?? word(BOOK, options.lang ?? navigator.language)
    frame.allow = 'payment'
    const colorScheme = themeOf(options, document.body)
    Object.assign(frame.style, { display: 'block', width: '100%', height: '44rem', border: '0', colorScheme })
    const made = { frame, options, teller, isBooked: false }
    places.push(made)
    return made
  }

  /**
   * Shows a booking page inside an element, whose events begin there.
   * @param {HTMLElement} element
   * @param {Options} options
   * @returns {(() => void) | null} takes it away again
   */
  function show(element, options) {
    const made = place(options, element)
    if (!made) return null
    element.append(made.frame)
    followTheme()
    return () => {
      made.frame.remove()
      places.splice(places.indexOf(made), 1)
    }
  }

  /** @type {Map<string, Place>} */
  const dialogs = new Map()

  /**
   * Opens a booking page over the site; the same one where it was left, but a new one after a booking.
   * @param {Options} options
   * @param {EventTarget} [teller] where its events begin
   * @returns {boolean} whether there is one
   */
  function open(options = {}, teller = document) {
    const address = addressOf(options)
    if (!address) return false
    let known = dialogs.get(address)
    if (!known) {
      const made = place(options, teller)
      if (!made) return false
      known = made
      dialogs.set(address, known)
      makeDialog(known)
    } else if (known.isBooked) {
      known.isBooked = false
      known.frame.src = address
    }
    known.teller = teller
    known.dialog?.showModal()
    return true
  }

  /** @param {Place} known */
  function makeDialog(known) {
    const { frame, options } = known
    const dialog = document.createElement('dialog')
    dialog.setAttribute('aria-label', frame.title)
    const isDark = frame.style.colorScheme === 'dark'
    Object.assign(dialog.style, {
      width: 'min(68rem, calc(100vw - 2rem))',
      maxWidth: 'none',
      maxHeight: 'calc(100dvh - 2rem)',
      padding: '0.5rem',
      border: '0',
      borderRadius: '1rem',
      overflow: 'auto',
      background: isDark ? '#14171c' : '#f4f5f7',
      color: isDark ? '#eef0f3' : '#171b22',
    })
    const close = document.createElement('button')
    close.type = 'button'
    close.textContent = '×'
    close.setAttribute('aria-label', word(CLOSE, options.lang ?? navigator.language))
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
    close.addEventListener('click', () => dialog.close())
    dialog.append(close, frame)
    dialog.addEventListener('click', (event) => event.target === dialog && dialog.close())
    document.body.append(dialog)
    known.dialog = dialog
    known.close = close
  }

  function close() {
    for (const { dialog } of places) dialog?.close()
  }

  addEventListener('message', (event) => {
    const known = places.find(({ frame }) => event.source !== null && event.source === frame.contentWindow)
    const { source, type, height, detail, language, to } = Object(event.data)
    if (event.origin !== service || !known || source !== 'holdfast') return
    if (type === 'resize' && Number.isFinite(height)) known.frame.style.height = `${Math.max(200, height)}px`
    if (type === 'resize' && language) known.close?.setAttribute('aria-label', word(CLOSE, language))
    if (type === 'close') known.dialog?.close()
    if (type === 'leave' && /^https?:/.test(URL.parse(to)?.protocol ?? '')) location.assign(to)
    if (!['viewed', 'date_selected', 'time_selected', 'booked', 'failed'].includes(type)) return
    if (type === 'booked') known.isBooked = true
    known.teller.dispatchEvent(new CustomEvent(`holdfast:${type}`, { bubbles: true, detail }))
  })

  /** The site may turn dark or light while the page is open. */
  function followTheme() {
    for (const { frame, options } of places) {
      const theme = themeOf(
        options,
        frame.isConnected && !frame.closest('dialog') ? frame.parentElement : document.body,
      )
      if (theme === frame.style.colorScheme) continue
      frame.style.colorScheme = theme
      frame.contentWindow?.postMessage({ source: 'holdfast-host', type: 'theme', theme }, service)
    }
  }

  /**
   * @param {HTMLElement} element
   * @param {Options} options
   */
  function buttonFor(element, options) {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = options.label ?? word(BOOK, options.lang ?? navigator.language)
    button.addEventListener('click', () => open(options, element))
    if (options.mode !== 'floating') return button
    Object.assign(button.style, {
      position: 'fixed',
      insetBlockEnd: '1.25rem',
      insetInlineEnd: '1.25rem',
      zIndex: '2147483000',
      padding: '0.875rem 1.5rem',
      border: '0',
      borderRadius: '2rem',
      font: '600 1rem/1.25 system-ui, sans-serif',
      background: /^#?[0-9a-f]{6}$/i.test(options.color ?? '')
        ? `#${options.color?.replace('#', '')}`
        : '#2b5fd9',
      color: '#fff',
      boxShadow: '0 4px 16px rgb(0 0 0 / 25%)',
      cursor: 'pointer',
    })
    button.style.color = readableOn(getComputedStyle(button).backgroundColor)
    return button
  }

  /** @param {string} color */
  function readableOn(color) {
    const [r = 0, g = 0, b = 0] = (color.match(/[\d.]+/g) ?? []).map(Number)
    return 0.299 * r + 0.587 * g + 0.114 * b > 150 ? '#111827' : '#ffffff'
  }

  /** @param {HTMLScriptElement} element */
  function mount(element) {
    const options = optionsOf(element)
    if (!options.org) return
    const isButton = options.mode === 'popup' || options.mode === 'floating'
    const shown = isButton
      ? addressOf(options) && buttonFor(element, options)
      : place(options, element)?.frame
    if (!shown) return
    // Nothing of the head is ever seen.
    if (element.closest('head') || options.mode === 'floating') document.body.append(shown)
    else element.after(shown)
    if (shown instanceof HTMLButtonElement && options.mode === 'floating') {
      shown.style.color = readableOn(getComputedStyle(shown).backgroundColor)
    }
    followTheme()
  }

  /** @param {() => void} work */
  function withBody(work) {
    if (document.body) work()
    else document.addEventListener('DOMContentLoaded', work, { once: true })
  }

  const shared = /** @type {any} */ (window)
  if (!shared.Holdfast) {
    shared.Holdfast = { open, close, show, mount, service }
    document.addEventListener('click', (event) => {
      const link = event.target instanceof Element ? event.target.closest('[data-holdfast-link]') : null
      if (!(link instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.shiftKey) return
      // What opens nothing leads where it led without us.
      if (open(optionsOf(link), link)) event.preventDefault()
    })
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', followTheme)
    withBody(() => {
      const observer = new MutationObserver(followTheme)
      for (const element of [document.documentElement, document.body]) {
        observer.observe(element, { attributes: true, attributeFilter: ['class', 'style', 'data-theme'] })
      }
    })
  }
  withBody(() => shared.Holdfast.mount(script))
})()
