// @ts-check

/** How far each key goes, in days; weeks are seven. */
const STEPS = /** @type {Record<string, number>} */ ({
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -7,
  ArrowDown: 7,
})
const DAY_MS = 86_400_000

/**
 * Makes the month one stop of the Tab key and moves within it by arrows (ARIA date grid pattern): Home and End to
 * the ends of the week, Page Up and Page Down to the same day of the months beside it, arrows over its ends too.
 */
function steerGrid() {
  const grid = document.querySelector('[data-grid]')
  if (!(grid instanceof HTMLElement)) return
  const days = /** @type {HTMLElement[]} */ ([...grid.querySelectorAll('[data-day]')])
  if (days.length === 0) return
  const preferred = ['[aria-selected="true"] [data-day]', 'a.day:not(.full)', 'a.day', '.today', '[data-day]']
  const first = preferred.map((one) => grid.querySelector(one)).find(Boolean)
  for (const day of days) day.tabIndex = day === first ? 0 : -1

  grid.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const active = /** @type {HTMLElement} */ (document.activeElement)
    const at = days.indexOf(active)
    if (at === -1) return
    if (event.key === 'PageUp' || event.key === 'PageDown') {
      event.preventDefault()
      goTo(sameDay(active.dataset.day ?? '', event.key === 'PageUp' ? -1 : 1))
      return
    }
    if (event.key === ' ') {
      event.preventDefault()
      active.click()
      return
    }
    const to = target(event.key, at, days)
    if (to === null) return
    event.preventDefault()
    const day = days[to]
    if (day) return focusOn(days, day)
    goTo(new Date(Date.parse(active.dataset.day ?? '') + (to - at) * DAY_MS).toISOString().slice(0, 10))
  })
}

/**
 * @param {HTMLElement[]} days
 * @param {HTMLElement} day
 */
function focusOn(days, day) {
  for (const one of days) one.tabIndex = one === day ? 0 : -1
  day.focus()
}

/**
 * A day of another month: that month is shown, if there is a way to it, and the focus goes on there.
 * @param {string} date
 */
function goTo(date) {
  const shown = document.querySelector('[data-day]')
  if (!(shown instanceof HTMLElement) || !shown.dataset.day) return
  const way = date < shown.dataset.day ? 'previous' : 'next'
  const link = document.querySelector(`a[data-key="${way}"]`)
  if (!(link instanceof HTMLAnchorElement)) return
  const detail = { address: link.href, push: true, key: date }
  document.dispatchEvent(new CustomEvent('page:go', { detail }))
}

/**
 * The same day of a month before or after, or that month's last one.
 * @param {string} date
 * @param {number} months
 */
function sameDay(date, months) {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(day, last))).toISOString().slice(0, 10)
}

/**
 * @param {string} key
 * @param {number} at
 * @param {HTMLElement[]} days
 */
function target(key, at, days) {
  const step = STEPS[key]
  if (step !== undefined) {
    const isSideways = Math.abs(step) === 1
    return at + (isSideways && document.documentElement.dir === 'rtl' ? -step : step)
  }
  if (key !== 'Home' && key !== 'End') return null
  const week = days[at]?.closest('tr')
  const own = days.filter((day) => day.closest('tr') === week)
  const end = key === 'Home' ? own[0] : own.at(-1)
  return end ? days.indexOf(end) : null
}

/** Each part of the day is one stop of the Tab key; arrows lead through all of its times. */
function steerTimes() {
  for (const list of document.querySelectorAll('.times ul')) {
    list.querySelectorAll('.time').forEach((time, at) => {
      if (time instanceof HTMLElement) time.tabIndex = at === 0 ? 0 : -1
    })
  }
}

document.addEventListener('keydown', (event) => {
  const time = event.target instanceof Element ? event.target.closest('.time') : null
  if (!time || event.ctrlKey || event.metaKey || event.altKey) return
  const all = [...document.querySelectorAll('.times .time')]
  const at = all.indexOf(time)
  const way = {
    ArrowDown: at + 1,
    ArrowRight: at + 1,
    ArrowUp: at - 1,
    ArrowLeft: at - 1,
    Home: 0,
    End: all.length - 1,
  }
  const to = way[/** @type {keyof typeof way} */ (event.key)]
  const next = to === undefined ? null : all[to]
  if (!(next instanceof HTMLElement)) return
  event.preventDefault()
  const own = next.closest('ul')?.querySelectorAll('.time') ?? []
  for (const one of own) if (one instanceof HTMLElement) one.tabIndex = one === next ? 0 : -1
  next.focus()
})

function steer() {
  steerGrid()
  steerTimes()
}

steer()
document.addEventListener('page:arrived', steer)
document.addEventListener('page:day', steerTimes)
