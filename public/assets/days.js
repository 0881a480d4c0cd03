// @ts-check
/*
 * Shows another day of the month from what came with it, without asking again. What it makes looks as the server's does
 * (`views/times.tsx`).
 */
const FULL = -1
const ONE_DAY = 86_400_000

/** @typedef {{ start: number, left: number | null }} Slot */

document.addEventListener('page:choose', (event) => {
  const link = /** @type {CustomEvent} */ (event).detail
  const picker = link.closest('.picker')
  const date = link.dataset.day
  if (!date || !(picker instanceof HTMLElement) || !picker.dataset.days) return
  try {
    const times = timesOf(picker, date)
    picker.querySelector('.times')?.replaceWith(times)
    choose(picker, link)
    history.replaceState(null, '', link.href)
    event.preventDefault()
    document.dispatchEvent(new CustomEvent('page:day', { detail: date }))
    const live = document.getElementById('live')
    if (live) live.textContent = times.querySelector('.unseen')?.textContent ?? ''
    showTimes(times)
  } catch {
    // A zone, its rules or a language that this browser does not know: the server does.
  }
})

/**
 * @param {HTMLElement} picker
 * @param {string} date
 * @returns {Slot[]}
 */
function slotsOf(picker, date) {
  const number = (Date.parse(date) - Date.parse(`${picker.dataset.month}-01`)) / ONE_DAY + 1
  const found = JSON.parse(picker.dataset.days ?? '[]').find(
    (/** @type {[number]} */ [day]) => day === number,
  )
  if (!found) throw new Error('not of this month')
  const [, first, gaps, seats] = found
  if (!knowsZone(picker, number, first)) throw new Error('other rules')
  let start = first
  return [0, ...gaps].map((gap, at) => {
    start += gap
    return { start: start * 1000, left: seats ? seats[at] : null }
  })
}

/**
 * Whether clocks in the zone show here what they show there.
 * @param {HTMLElement} picker
 * @param {number} day
 * @param {number} seconds
 */
function knowsZone({ dataset }, day, seconds) {
  const options = /** @type {const} */ ({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const clock = new Intl.DateTimeFormat('en', { ...options, timeZone: dataset.in })
  const [hour = 0, minute = 0] = clock
    .format(seconds * 1000)
    .split(':')
    .map(Number)
  const [, ahead] = JSON.parse(dataset.offsets ?? '[]').findLast(
    (/** @type {[number]} */ [from]) => from <= day,
  )
  return ((hour * 60 + minute) * 60 - seconds - ahead) % 86_400 === 0
}

/**
 * @param {HTMLElement} picker
 * @param {string} date
 */
function timesOf(picker, date) {
  const slots = slotsOf(picker, date)
  const { tag, clock = '{}', in: timeZone, words = '{}' } = picker.dataset
  const { parts, full, seats } = JSON.parse(words)
  const options = { ...JSON.parse(clock), timeZone, calendar: 'gregory' }
  const format = new Intl.DateTimeFormat(tag, options)
  const named = new Intl.DateTimeFormat(tag, { timeZone, timeZoneName: 'short' })
  const hours = new Intl.DateTimeFormat('en', { hour: 'numeric', hourCycle: 'h23', timeZone })
  const labels = slots.map(({ start }) => format.format(start))
  const day = { weekday: 'short', day: 'numeric', month: 'long', timeZone: 'UTC', calendar: 'gregory' }
  const heading = made('h2', { 'data-announce': '' }, [
    made('span', { 'aria-hidden': 'true' }, [
      new Intl.DateTimeFormat(tag, /** @type {Intl.DateTimeFormatOptions} */ (day)).format(Date.parse(date)),
    ]),
    made('span', { class: 'unseen' }, [
      picker.querySelector(`[data-day="${date}"] .unseen`)?.textContent ?? '',
    ]),
  ])
  const lists = /** @type {Node[][]} */ ([[], [], []])
  slots.forEach(({ start, left }, at) => {
    const hour = Number(hours.format(start))
    const label = /** @type {string} */ (labels[at])
    const isTwice = labels.indexOf(label) !== labels.lastIndexOf(label)
    const small = left === FULL ? full : left === null ? null : seats[left]
    const link = made(
      'a',
      { class: left === FULL ? 'time full' : 'time', rel: 'nofollow', href: hrefOf(date, start, left) },
      [isTwice ? `${label} ${zoneAt(named, start)}` : label, ...(small ? [made('small', {}, [small])] : [])],
    )
    link.dataset.swap = ''
    link.dataset.time = new Date(start).toISOString()
    lists[hour < 12 ? 0 : hour < 17 ? 1 : 2]?.push(made('li', {}, [link]))
  })
  const sections = lists.map((items, part) =>
    items.length === 0
      ? ''
      : made('section', { 'aria-label': parts[part] }, [
          made('h3', {}, [parts[part]]),
          made('ul', {}, items),
        ]),
  )
  return made('div', { class: 'times' }, [heading, made('div', { class: 'parts' }, sections)])
}

/**
 * @param {Intl.DateTimeFormat} format
 * @param {number} instant
 */
function zoneAt(format, instant) {
  return format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value
}

/**
 * @param {string} date
 * @param {number} start
 * @param {number | null} left
 */
function hrefOf(date, start, left) {
  const to = new URL(location.href)
  to.searchParams.delete('month')
  to.searchParams.set('date', date)
  to.searchParams.set('time', new Date(start).toISOString())
  if (left === FULL) to.searchParams.set('wait', '1')
  else to.searchParams.delete('wait')
  return to.pathname + to.search
}

/**
 * @param {string} name
 * @param {Record<string, string>} attributes
 * @param {(Node | string)[]} children
 */
function made(name, attributes, children) {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  element.append(...children.filter((child) => child !== ''))
  return element
}

/**
 * @param {HTMLElement} picker
 * @param {HTMLAnchorElement} link
 */
function choose(picker, link) {
  picker.classList.add('chosen')
  for (const cell of picker.querySelectorAll('td[aria-selected]')) {
    cell.setAttribute('aria-selected', String(cell.contains(link)))
  }
  for (const day of picker.querySelectorAll('[data-day]')) {
    if (day instanceof HTMLElement) day.tabIndex = day === link ? 0 : -1
  }
  // What leads on from here keeps the day.
  const date = link.dataset.day ?? ''
  for (const other of document.querySelectorAll('.choices a')) {
    if (!(other instanceof HTMLAnchorElement)) continue
    const to = new URL(other.href)
    to.searchParams.set('date', date)
    other.href = to.href
  }
  for (const form of document.querySelectorAll('form[method="get"]')) {
    const field = form.querySelector('input[name="date"]') ?? form.appendChild(hiddenDate())
    if (field instanceof HTMLInputElement) field.value = date
  }
}

function hiddenDate() {
  const field = document.createElement('input')
  field.type = 'hidden'
  field.name = 'date'
  return field
}

/**
 * On a small screen the times stand below the month, out of sight.
 * @param {HTMLElement} times
 */
function showTimes(times) {
  if (times.getBoundingClientRect().top < innerHeight - 120) return
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  times.scrollIntoView({ block: 'start', behavior: isCalm ? 'auto' : 'smooth' })
}
