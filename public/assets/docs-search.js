// @ts-check
/*
 * The search of the documentation. Its index is made in advance (`npm run reference`) and read when somebody searches: a section of
 * a guide, an error, an event or a call is an entry.
 */

/** @typedef {readonly [href: string, title: string, part: string, words: string]} Section */
/** @typedef {{ readonly unsearched: readonly string[], readonly sections: readonly Section[] }} Index */

const MOST_FOUND = 8
/** What a section counts for that is called what was typed. */
const NAMED = 20
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
/** What the index counts as a word: `slot_taken`, `booking.created`, `idempotency-key`, `v1/bookings`. */
const WORD = /[\p{L}\p{N}]+(?:[._/-][\p{L}\p{N}]+)*/gu
/** @param {string} word */
const stem = (word) => (word.length > 5 ? word.replace(/(?:ings?|ed|es|s|e)$/, '') : word)

/** @type {Promise<Index> | null} */
let index = null

function readIndex() {
  // Browsers keep each version for ever, as they do with this file.
  index ??= fetch(`/assets/docs-index.json${new URL(import.meta.url).search}`).then((response) => {
    if (!response.ok) throw new Error(`the index: ${response.status}`)
    return response.json()
  })
  // A failed request is repeated when the reader types on.
  index.catch(() => {
    index = null
  })
  return index
}

/** @param {Section} section */
const titleOf = ([, title, part]) => (part === '' ? title : `${title}: ${part}`)
/** @param {Section} section */
const nameOf = ([, title, part]) => plain(part || title).replace(/^(?:an?|the) /, '')

/** How well a section fits all words: 0 if it does not. @param {Section} section @param {readonly string[]} words */
function fitOf(section, words) {
  const [inTitle, inText, name] = [plain(titleOf(section)), plain(section[3]), nameOf(section)]
  let fit = 0
  for (const word of words) {
    if (name === word) fit += NAMED
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
  const typedWords = plain(typed).match(WORD) ?? []
  if (typedWords.length === 0) return []
  const { unsearched, sections } = await readIndex()
  const telling = typedWords.filter((word) => !unsearched.includes(word))
  const words = telling.length > 0 ? telling : typedWords
  const whole = plain(typed)
    .trim()
    .replace(/^(?:an?|the) /, '')
  const stems = words.map(stem)
  const same = words.map((word) => SAME_PLAIN.get(word) ?? stem(word))
  return sections
    .map((section) => ({
      section,
      fit:
        Math.max(fitOf(section, words), 0.9 * fitOf(section, stems), 0.8 * fitOf(section, same)) +
        (nameOf(section) === whole ? NAMED : 0),
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
  link.href = section[0]
  link.textContent = titleOf(section)
  item.append(link)
  return item
}
