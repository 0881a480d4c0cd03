// @ts-check
/*
 * The search of the documentation. What is searched is read when somebody searches: all guides, errors and events on one page of
 * text, and the calls of the OpenAPI document.
 */

/** @typedef {{ href: string, title: string, text: string, name?: string }} Section */

const MOST_FOUND = 8
/** What a section begins with says what it is about. */
const BEGINNING = 80
/** What people type, and what the pages say. Words of other languages are here because the pages are in English only. */
const SAME = new Map(
  Object.entries({
    slot_taken: 'conflict',
    taken: 'conflict',
    double: 'conflict',
    token: 'key',
    authentication: 'key',
    auth: 'key',
    throttle: 'rate_limit',
    gcal: 'google',
    outlook: 'microsoft',
    gdpr: 'erase',
    dsgvo: 'erase',
    iframe: 'embed',
    widget: 'embed',
    termin: 'booking',
    termine: 'booking',
    buchung: 'booking',
    buchen: 'book',
    verschieben: 'reschedule',
    absagen: 'cancel',
    stornieren: 'cancel',
    warteliste: 'waitlist',
    schlüssel: 'key',
    kalender: 'calendar',
    feiertag: 'holiday',
    feiertage: 'holiday',
    raum: 'room',
    räume: 'room',
    fehler: 'error',
    ereignis: 'event',
    zahlung: 'payment',
    löschen: 'delete',
    exportieren: 'export',
    importieren: 'import',
    einbetten: 'embed',
  }),
)

/** A text as the index has it: `é` is an e, and a word is found by its stem. @param {string} text */
const plain = (text) => text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')
const SAME_PLAIN = new Map([...SAME].map(([word, same]) => [plain(word), same]))
/** @param {string} word */
const stem = (word) => (word.length > 5 ? word.replace(/(?:ings?|ed|es|s|e)$/, '') : word)

/** @type {Promise<Section[]> | null} */
let everything = null

function sections() {
  everything ??= Promise.all([guides(), operations()]).then((parts) => parts.flat())
  // A failed request is repeated when the reader types on.
  everything.catch(() => {
    everything = null
  })
  return everything
}

/** @param {string} path */
async function read(path) {
  const response = await fetch(path)
  if (!response.ok) throw new Error(`${path}: ${response.status}`)
  return response
}

async function guides() {
  const pages = [...document.querySelectorAll('.doc-pages a')].map(
    (one) => /** @type {HTMLAnchorElement} */ (one),
  )
  const paths = new Map(pages.map(({ pathname, textContent }) => [textContent, pathname]))
  const parts = (await (await read('/llms-full.txt')).text()).split('\n---\n\n')
  return parts.flatMap((markdown) => {
    const title = /^# (.*)$/m.exec(markdown)?.[1] ?? ''
    const path = paths.get(title)
    return path ? sectionsOf(path, title, markdown) : []
  })
}

/**
 * @param {string} path
 * @param {string} title
 * @param {string} markdown
 * @returns {Section[]}
 */
function sectionsOf(path, title, markdown) {
  // In code, `#` begins a comment.
  const parts = markdown
    .split(/^(```.*\n[\s\S]*?^```)$/m)
    .map((part) => (part.startsWith('```') ? part.replace(/^#/gm, ' #') : part))
  return parts
    .join('')
    .split(/^(?=#{1,3} )/m)
    .map((text) => {
      const name = /^#{1,3} (.*)$/m.exec(text)?.[1] ?? title
      const anchor = name
        .toLowerCase()
        .replace(/[^a-z0-9_.]+/g, '-')
        .replace(/^-|-$/g, '')
      return name === title
        ? { href: path, title, text, name }
        : { href: `${path}#${anchor}`, title: `${title}: ${name}`, text, name }
    })
}

/** Every call of the reference. */
async function operations() {
  const { paths } = await (await read('/v1/openapi.json')).json()
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, summary, description = '' }]) => ({
      href: `/docs/reference#/operations/${operationId}`,
      title: `${summary}: ${method.toUpperCase()} ${path}`,
      text: description,
    })),
  )
}

/** How well a section fits all words: 0 if it does not. @param {Section} section @param {readonly string[]} words */
function fitOf({ title, text, name = '' }, words) {
  const [inTitle, inText, named] = [plain(title), plain(text), plain(name)]
  let fit = 0
  for (const word of words) {
    if (named.replace(/^(?:an?|the) /, '') === word) fit += 20
    else if (inTitle.split(/[^a-z0-9_.]+/).some((one) => one.startsWith(word))) fit += 8
    else if (inTitle.includes(word)) fit += 4
    else if (inText.slice(0, BEGINNING).includes(word)) fit += 2
    else if (inText.includes(word)) fit += 1
    else return 0
  }
  return fit
}

/** @param {string} typed */
async function find(typed) {
  const words = plain(typed).split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const all = await sections()
  const stems = words.map(stem)
  const same = words.map((word) => SAME_PLAIN.get(word) ?? stem(word))
  return all
    .map((section) => ({
      section,
      fit: Math.max(fitOf(section, words), 0.9 * fitOf(section, stems), 0.8 * fitOf(section, same)),
    }))
    .filter(({ fit }) => fit > 0)
    .sort((a, b) => b.fit - a.fit)
    .slice(0, MOST_FOUND)
    .map(({ section }) => section)
}

const search = document.querySelector('[data-doc-search]')
const searched = search?.querySelector('input')
const list = search?.querySelector('ul')
const saysFound = search?.querySelector('[role="status"]')
if (search instanceof HTMLFormElement && searched && list && saysFound) {
  search.hidden = false
  const links = () => [...list.querySelectorAll('a')]
  let last = ''
  const show = async () => {
    const typed = searched.value
    last = typed
    try {
      const found = await find(typed)
      // The reader has typed on since.
      if (last !== typed) return
      list.replaceChildren(...found.map(itemOf))
      saysFound.textContent =
        typed.trim() === '' ? '' : found.length === 0 ? 'Nothing found' : `${found.length} found`
    } catch {
      saysFound.textContent = 'The search does not work now. Try again.'
    }
  }
  search.addEventListener('input', show)
  search.addEventListener('submit', async (event) => {
    event.preventDefault()
    await show()
    links()[0]?.click()
  })
  search.addEventListener('keydown', (event) => {
    const stops = [searched, ...links()]
    const at = stops.indexOf(/** @type {any} */ (document.activeElement))
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Escape') {
      searched.value = ''
      show()
      searched.focus()
    } else if (step && at >= 0) stops[Math.min(Math.max(at + step, 0), stops.length - 1)]?.focus()
    else return
    event.preventDefault()
  })
  // Then what was found is no longer in the way.
  list.addEventListener('click', () => {
    searched.value = ''
    list.replaceChildren()
  })
  document.addEventListener('keydown', (event) => {
    const types =
      event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]')
    if (event.key !== '/' || types || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    searched.focus()
  })
}

/** @param {Section} section */
function itemOf(section) {
  const item = document.createElement('li')
  const link = document.createElement('a')
  link.href = section.href
  link.textContent = section.title
  item.append(link)
  return item
}
