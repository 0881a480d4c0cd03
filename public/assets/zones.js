// @ts-check
/*
 * A search of time zones by city, region, offset or name, with the local time of each. Its list is that of the select
 * it replaces (ARIA combobox pattern with a list box).
 */
const MOST = 60

/** @typedef {{ id: string, name: string, region: string, words: string, city?: string | undefined }} Zone */

/** What people call cities, once that has arrived. @type {Record<string, string>} */
let cities = {}

/**
 * @param {HTMLSelectElement} select
 * @param {HTMLElement} button
 */
export function openZones(select, button) {
  const { search = '', nothing = '' } = select.dataset
  const zones = [...select.options].map(zoneOf)
  const dialog = document.createElement('dialog')
  dialog.className = 'zones'
  dialog.setAttribute('aria-label', search)
  const field = document.createElement('input')
  field.type = 'search'
  field.placeholder = search
  field.autocomplete = 'off'
  field.setAttribute('role', 'combobox')
  field.setAttribute('aria-label', search)
  field.setAttribute('aria-expanded', 'true')
  field.setAttribute('aria-controls', 'zone-list')
  field.setAttribute('aria-autocomplete', 'list')
  const list = document.createElement('ul')
  list.id = 'zone-list'
  list.setAttribute('role', 'listbox')
  list.setAttribute('aria-label', search)
  const none = document.createElement('p')
  none.className = 'hint'
  none.setAttribute('role', 'status')
  dialog.append(field, list, none)

  let at = 0
  const fill = () => {
    const found = matching(zones, field.value, select.value)
    list.replaceChildren(...found.map((zone, index) => itemOf(zone, index, zone.id === select.value)))
    none.textContent = found.length === 0 ? nothing : ''
    at = 0
    point()
  }
  const point = () => {
    const items = [...list.children]
    items.forEach((item, index) => {
      item.classList.toggle('pointed', index === at)
    })
    const item = items[at]
    item?.scrollIntoView({ block: 'nearest' })
    if (item) field.setAttribute('aria-activedescendant', item.id)
    else field.removeAttribute('aria-activedescendant')
  }
  /** @param {Element | undefined} item */
  const take = (item) => {
    if (!(item instanceof HTMLElement) || !item.dataset.zone) return
    dialog.close()
    select.value = item.dataset.zone
    select.dispatchEvent(new Event('change', { bubbles: true }))
  }
  field.addEventListener('input', fill)
  field.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) at = Math.max(0, Math.min(list.children.length - 1, at + step))
    else if (event.key === 'Enter') take(list.children[at])
    else return
    event.preventDefault()
    point()
  })
  list.addEventListener('click', ({ target }) => {
    if (target instanceof Element) take(target.closest('li') ?? undefined)
  })
  dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close())
  dialog.addEventListener('close', () => {
    dialog.remove()
    if (button.isConnected) button.focus()
  })
  button.closest('.card')?.append(dialog)
  fill()
  dialog.showModal()
  field.focus()
  // Without them, it finds what the zones themselves are called.
  import(`./cities.js${new URL(import.meta.url).search}`)
    .then(({ CITIES }) => {
      cities = CITIES
      for (const zone of zones) zone.words = ''
      if (field.value !== '') fill()
    })
    .catch(() => {})
}

/**
 * @param {HTMLOptionElement} option
 * @returns {Zone}
 */
function zoneOf(option) {
  const id = option.value
  const [region = '', ...rest] = id.split('/')
  const name = (rest.at(-1) ?? region).replaceAll('_', ' ')
  return { id, name, region: [region, ...rest.slice(0, -1)].join(', ').replaceAll('_', ' '), words: '' }
}

/** @param {string} text */
function plain(text) {
  return text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('\u2212', '-').toLowerCase()
}

/**
 * Those whose words begin with what was typed first, then those that hold it anywhere.
 * @param {Zone[]} zones
 * @param {string} typed
 * @param {string} chosen
 */
function matching(zones, typed, chosen) {
  // What an offset is counted from has two names.
  const wanted = plain(typed)
    .trim()
    .replace(/^(utc|gmt) ?(?=[+-])/, '')
  for (const zone of zones) zone.city = wanted === '' ? undefined : cityOf(zone, wanted)
  if (wanted === '') {
    const own = zones.filter(({ id }) => id === chosen)
    return [...own, ...zones.filter(({ id }) => id !== chosen)].slice(0, MOST)
  }
  const ranked = zones.map((zone) => {
    zone.words ||= plain(
      [zone.name, zone.region, zone.id, offsetOf(zone.id), ...namesOf(zone.id), cities[zone.id]].join(' '),
    )
    const begins =
      zone.city || plain(zone.name).startsWith(wanted)
        ? 0
        : zone.words.split(' ').some((one) => one.startsWith(wanted))
          ? 1
          : 2
    return { zone, rank: zone.words.includes(wanted) ? begins : 3 }
  })
  return ranked
    .filter(({ rank }) => rank < 3)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MOST)
    .map(({ zone }) => zone)
}

/**
 * The city that was typed, where its zone is named otherwise.
 * @param {Zone} zone
 * @param {string} wanted
 */
function cityOf({ id, name }, wanted) {
  if (plain(name).startsWith(wanted)) return undefined
  return cities[id]?.split(', ').find((city) => plain(city).startsWith(wanted))
}

/**
 * @param {Zone} zone
 * @param {number} index
 * @param {boolean} isChosen
 */
function itemOf(zone, index, isChosen) {
  const item = document.createElement('li')
  item.id = `zone-${index}`
  item.dataset.zone = zone.id
  item.setAttribute('role', 'option')
  item.setAttribute('aria-selected', String(isChosen))
  const name = document.createElement('span')
  name.textContent = zone.name
  const beside = document.createElement('small')
  beside.textContent = [zone.city, zone.region === zone.name ? '' : zone.region].filter(Boolean).join(' · ')
  const time = document.createElement('span')
  time.className = 'zone-time'
  time.textContent = `${offsetOf(zone.id)} · ${timeIn(zone.id)}`
  item.append(name, beside, time)
  return item
}

/**
 * @param {string} timeZone
 * @param {Intl.DateTimeFormatOptions} options
 * @param {string} [wanted]
 */
function said(timeZone, options, wanted) {
  try {
    const tag =
      document.querySelector('[data-tag]')?.getAttribute('data-tag') ?? document.documentElement.lang
    const format = new Intl.DateTimeFormat(tag, { ...options, timeZone })
    if (!wanted) return format.format()
    return format.formatToParts().find(({ type }) => type === wanted)?.value ?? ''
  } catch {
    return ''
  }
}

/** @param {string} zone */
function offsetOf(zone) {
  return said(zone, { timeZoneName: 'shortOffset' }, 'timeZoneName')
}

/**
 * Its names: the time, its abbreviation, and usually the country.
 * @param {string} zone
 */
function namesOf(zone) {
  const styles = /** @type {const} */ (['longGeneric', 'shortGeneric', 'short'])
  return styles.map((timeZoneName) => said(zone, { timeZoneName }, 'timeZoneName'))
}

/** @param {string} zone */
function timeIn(zone) {
  const clock =
    document.querySelector('[data-clock]')?.getAttribute('data-clock') ??
    '{"hour":"numeric","minute":"2-digit"}'
  return said(zone, JSON.parse(clock))
}
