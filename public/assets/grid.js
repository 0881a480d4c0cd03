// @ts-check

/** How far each key goes, in days; weeks are seven. */
const STEPS = /** @type {Record<string, number>} */ ({
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -7,
  ArrowDown: 7,
})

/**
 * Makes the month one stop of the Tab key and moves within it by arrows (ARIA date grid pattern): Home and End to
 * the ends of the week, Page Up and Page Down to the months beside it.
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
    const at = days.indexOf(/** @type {HTMLElement} */ (document.activeElement))
    if (at === -1) return
    if (event.key === 'PageUp' || event.key === 'PageDown') {
      event.preventDefault()
      const way = event.key === 'PageUp' ? 'previous' : 'next'
      const link = document.querySelector(`[data-key="${way}"]`)
      if (link instanceof HTMLElement) link.click()
      return
    }
    if (event.key === ' ') {
      event.preventDefault()
      days[at]?.click()
      return
    }
    const to = target(event.key, at, days)
    if (to === null) return
    event.preventDefault()
    const day = days[Math.max(0, Math.min(days.length - 1, to))]
    if (!day) return
    for (const one of days) one.tabIndex = one === day ? 0 : -1
    day.focus()
  })
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

steerGrid()
document.addEventListener('page:arrived', steerGrid)
