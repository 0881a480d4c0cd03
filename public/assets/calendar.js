// @ts-check
/*
 * The calendar works without this. With it, a click shows what can be done with a block, blocks are moved by drag or with the
 * keyboard, and a change waits ten seconds in which it can be undone. It is sent at once if the page is left before.
 */
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const STEP = 15
const WAIT_SECONDS = 10
const FOCUS = 'hf_calendar_focus'

/** @template {Element} [T=HTMLElement] @param {string} selector @param {ParentNode} [within] */
const find = (selector, within = document) => /** @type {T | null} */ (within.querySelector(selector))

/** What the dialog has. @param {string} selector @returns {readonly HTMLElement[]} */
const findAll = (selector) =>
  [...(act?.querySelectorAll(selector) ?? [])].map((one) => /** @type {HTMLElement} */ (one))

const planner = find('.planner')
const act = /** @type {HTMLDialogElement | null} */ (find('#act'))
const bar = find('.p-undo')

/** @typedef {{ block: HTMLAnchorElement, wall: number, path: string, fields: Record<string, string>, back: () => void, left: number, timer: number, text: string }} Pending */
/** @typedef {{ block: HTMLAnchorElement, wall: number, back: () => void }} Move */
/** @type {Pending | null} */
let pending = null
/** What the dialog asks about. @type {{ block: HTMLAnchorElement, move: Move | null } | null} */
let asked = null
/** A move with the keyboard. @type {Move | null} */
let moving = null
/** A move with the pointer, and where it began. @type {{ move: Move, x: number, y: number, isOn: boolean } | null} */
let drag = null
let isAfterDrag = false

// What a short block has no room for.
planner?.addEventListener('pointerover', ({ target }) => {
  const block = target instanceof Element ? target.closest('li > a') : null
  if (block instanceof HTMLElement && !block.title)
    block.title = [...block.children].map((one) => one.textContent).join(' ')
})

/** @param {string} text */
function say(text) {
  const live = find('#live')
  if (live) live.textContent = text
}

/** @param {string} name @param {Record<string, string | number>} [values] */
function textOf(name, values = {}) {
  const text = act?.dataset[name] ?? ''
  return text.replace(/\{(\w+)\}/g, (place, key) => String(values[key] ?? place))
}

/** @param {number} wall @param {boolean} [hasDay] */
function timeText(wall, hasDay = true) {
  const { weekday, day, month, ...time } = JSON.parse(act?.dataset.format ?? '{}')
  const format = hasDay ? { weekday, day, month, ...time } : time
  return new Intl.DateTimeFormat(act?.dataset.locale, format).format(wall)
}

/** @param {HTMLAnchorElement} block */
const nameOf = (block) => find('bdi', block)?.textContent ?? ''
/** @param {HTMLAnchorElement} block */
const wallOf = (block) => Number(block.dataset.at)
/** @param {HTMLAnchorElement} block */
const lengthOf = (block) => Number(block.dataset.min) * MINUTE_MS

/** What is over, or only held, cannot be moved. @param {HTMLAnchorElement} block */
function canMove(block) {
  const isHeld = block.classList.contains('k-hold') || block.search !== ''
  return !isHeld && wallOf(block) + lengthOf(block) > Number(act?.dataset.now)
}

/** @param {EventTarget | null} target */
function blockAt(target) {
  if (!(target instanceof Element)) return null
  return /** @type {HTMLAnchorElement | null} */ (target.closest('.planner .p-hours li > a'))
}

/** Shows a block at another time. @param {HTMLAnchorElement} block @param {number} wall */
function place(block, wall) {
  const item = /** @type {HTMLElement} */ (block.parentElement)
  const column = find(`.p-column[data-day="${Math.floor(wall / DAY_MS) * DAY_MS}"]`)
  // A day has a column for each person, and the block stays with its own.
  const hours = item.closest('.by-day') ? item.closest('.p-hours') : column && find('.p-hours', column)
  if (!planner || !hours) return false
  const minutes = (wall % DAY_MS) / MINUTE_MS - Number(planner.dataset.first) * 60
  const number = Number(getComputedStyle(hours).getPropertyValue('--hours'))
  if (minutes < 0 || minutes + lengthOf(block) / MINUTE_MS > number * 60) return false
  find('ol', hours)?.append(item)
  item.style.insetBlockStart = `${(minutes / 60 / number) * 100}%`
  const time = find('time', block)
  if (time) time.textContent = timeText(wall, false)
  return true
}

/** How to put a block back where it was. @param {HTMLAnchorElement} block */
function wayBack(block) {
  const item = /** @type {HTMLElement} */ (block.parentElement)
  const { parentElement: list, nextElementSibling: next } = item
  const top = item.style.insetBlockStart
  const time = find('time', block)
  const text = time?.textContent ?? ''
  return () => {
    if (time) time.textContent = text
    list?.insertBefore(item, next?.parentElement === list ? next : null)
    item.style.insetBlockStart = top
  }
}

/** @param {'menu' | 'ask'} part @param {string} title @param {string} text */
function open(part, title, text) {
  if (!act) return
  for (const one of findAll('[data-part]')) one.hidden = one.dataset.part !== part
  const [heading, line] = [find('h2', act), find('.act-text', act)]
  if (heading) heading.textContent = title
  if (line) line.textContent = text
  if (!act.open) act.showModal()
  heading?.focus()
}

/** What can be done with a block. @param {HTMLAnchorElement} block @param {string} [text] */
function openMenu(block, text) {
  asked = { block, move: null }
  for (const link of findAll('a[data-to]')) {
    link.setAttribute('href', block.getAttribute('href') + (link.dataset.to ?? ''))
    link.hidden = link.dataset.to !== '' && !block.classList.contains('k-booking')
  }
  const cancel = act && find('[data-do=cancel]', act)
  if (cancel) cancel.hidden = !block.classList.contains('k-booking')
  const notes = find('small', block)?.textContent ?? ''
  open('menu', nameOf(block), text ?? `${timeText(wallOf(block))} · ${notes}`)
}

/** Asks before a move, or before a cancellation if there is none. @param {HTMLAnchorElement} block @param {Move | null} move */
function ask(block, move) {
  asked = { block, move }
  const confirm = act && find('[data-do=confirm]', act)
  if (confirm) {
    confirm.textContent = textOf(move ? 'move' : 'cancel')
    confirm.classList.toggle('danger', !move)
  }
  const values = { name: nameOf(block), time: move ? timeText(move.wall) : '' }
  open('ask', textOf(move ? 'askMove' : 'askCancel', values), '')
}

/** The change that was confirmed waits. */
function wait() {
  if (!asked || !bar) return
  const { block, move } = asked
  asked = null
  act?.close()
  if (pending) void send()
  const isNotifying = /** @type {HTMLInputElement | null} */ (act && find('[name=notify]', act))?.checked
  const kind = move ? 'move' : 'cancel'
  const item = /** @type {HTMLElement} */ (block.parentElement)
  item.classList.add(move ? 'waiting' : 'going')
  const back = () => {
    item.classList.remove('waiting', 'going')
    move?.back()
  }
  const wall = move ? move.wall : wallOf(block)
  const type = find(`.p-legend .${[...block.classList].find((name) => /^c\d+$/.test(name)) ?? 'none'}`)
  const fields = {
    csrf: /** @type {HTMLInputElement | null} */ (find('[name=csrf]'))?.value ?? '',
    ...(move && { at: new Date(wall).toISOString().slice(0, 16) }),
    type: /** @type {HTMLElement | null} */ (type?.closest('li'))?.dataset.type ?? '',
    duration: block.dataset.min ?? '',
    ...(isNotifying && { notify: 'on' }),
  }
  pending = {
    ...{ block, wall, fields, back, left: WAIT_SECONDS },
    path: `${block.getAttribute('href')}/${kind}`,
    text: kind === 'move' ? 'willMove' : 'willCancel',
    timer: setInterval(tick, 1_000),
  }
  bar.hidden = false
  count()
  say(bar.firstElementChild?.textContent ?? '')
  find('[data-do=undo]', bar)?.focus()
}

function tick() {
  if (!pending) return
  pending.left -= 1
  if (pending.left > 0) count()
  else void send()
}

function count() {
  if (!pending || !bar?.firstElementChild) return
  const { block, wall, left, text } = pending
  bar.firstElementChild.textContent = textOf(text, { name: nameOf(block), time: timeText(wall), n: left })
}

function end() {
  const ended = pending
  if (ended) clearInterval(ended.timer)
  pending = null
  if (bar) bar.hidden = true
  return ended
}

async function send() {
  const sent = end()
  if (!sent) return
  const { path, fields, block, back } = sent
  // The server's answer is a redirect if it was done. It is sent to the end if the page is left.
  const how = { method: 'POST', redirect: /** @type {const} */ ('manual'), keepalive: true }
  const answer = await fetch(path, { ...how, body: new URLSearchParams(fields) }).catch(() => null)
  if (answer?.type === 'opaqueredirect') {
    block.parentElement?.classList.remove('waiting')
    // Whatever else is going on ends with a reload, too.
    if (pending || asked || moving || drag) return
    remember(block)
    location.reload()
    return
  }
  back()
  const page = answer && new DOMParser().parseFromString(await answer.text(), 'text/html')
  openMenu(block, page?.querySelector('.problems')?.textContent?.trim() || textOf('failed'))
}

/** @param {HTMLAnchorElement} block */
function remember(block) {
  try {
    sessionStorage.setItem(FOCUS, block.getAttribute('href') ?? '')
  } catch {
    // Then the page begins at its top.
  }
}

function undo() {
  const undone = end()
  undone?.back()
  undone?.block.focus()
  say(textOf('undone'))
}

/** @param {Move} move */
function stop(move) {
  move.back()
  move.block.parentElement?.classList.remove('moved')
  moving = null
}

/** @param {HTMLAnchorElement} block */
function begin(block) {
  const back = wayBack(block)
  block.parentElement?.classList.add('moved')
  return { block, wall: wallOf(block), back }
}

/** @param {Move} move */
function askMove(move) {
  move.block.parentElement?.classList.remove('moved')
  if (move.wall === wallOf(move.block)) move.back()
  else ask(move.block, move)
}

// The dialog and the bar

act?.addEventListener('click', ({ target }) => {
  const what = target instanceof Element && /** @type {HTMLElement | null} */ (target.closest('[data-do]'))
  if (what && what.dataset.do === 'close') act.close()
  if (what && what.dataset.do === 'cancel' && asked) ask(asked.block, null)
  if (what && what.dataset.do === 'confirm') wait()
})
act?.addEventListener('close', () => {
  // Nothing was confirmed.
  const { block, move } = asked ?? {}
  asked = null
  move?.back()
  block?.focus()
})
bar?.addEventListener('click', ({ target }) => {
  const what = target instanceof HTMLElement ? target.dataset.do : ''
  if (what === 'undo') undo()
  if (what === 'now') void send()
})
addEventListener('pagehide', () => void send())

// By drag

planner?.addEventListener('dragstart', (event) => event.preventDefault())
planner?.addEventListener('pointerdown', (event) => {
  const block = blockAt(event.target)
  isAfterDrag = false
  // A finger scrolls.
  if (!block || !act || event.button !== 0 || event.pointerType === 'touch' || !canMove(block)) return
  drag = {
    move: { block, wall: wallOf(block), back: wayBack(block) },
    x: event.clientX,
    y: event.clientY,
    isOn: false,
  }
})
addEventListener('pointermove', (event) => {
  if (!drag) return
  const { move, x, y } = drag
  if (!drag.isOn && Math.hypot(event.clientX - x, event.clientY - y) < 6) return
  if (!drag.isOn) begin(move.block)
  drag.isOn = true
  const hours = move.block.closest('.p-hours')
  if (!hours) return
  const from = wallOf(move.block)
  const number = Number(getComputedStyle(hours).getPropertyValue('--hours'))
  const minutes = ((event.clientY - y) / hours.clientHeight) * number * 60
  const column = document
    .elementsFromPoint(event.clientX, event.clientY)
    .find((one) => one.matches('.by-week .p-column'))
  const day = column
    ? Number(/** @type {HTMLElement} */ (column).dataset.day)
    : Math.floor(move.wall / DAY_MS) * DAY_MS
  const wall = day + (from % DAY_MS) + Math.round(minutes / STEP) * STEP * MINUTE_MS
  if (Math.floor(wall / DAY_MS) * DAY_MS === day && place(move.block, wall)) move.wall = wall
})
addEventListener('pointerup', () => {
  const done = drag
  drag = null
  if (!done?.isOn) return
  isAfterDrag = true
  askMove(done.move)
})
// A pen that scrolls the page instead, or Escape, ends a drag.
function endDrag() {
  if (drag?.isOn) stop(drag.move)
  drag = null
}
addEventListener('pointercancel', endDrag)
addEventListener('keydown', ({ key }) => key === 'Escape' && endDrag())
planner?.addEventListener('click', (event) => {
  const block = blockAt(event.target)
  if (!block || !act || event.ctrlKey || event.metaKey || event.shiftKey) return
  if (isAfterDrag) return event.preventDefault()
  if (!canMove(block)) return
  event.preventDefault()
  openMenu(block)
})

// With the keyboard

/** Turning to something else ends the move. */
function stopMoving() {
  if (!moving) return
  stop(moving)
  say(textOf('stopped'))
}
addEventListener('pointerdown', stopMoving, true)
document.addEventListener('focusin', ({ target }) => target !== moving?.block && stopMoving())

planner?.addEventListener('keydown', (event) => {
  const block = blockAt(event.target)
  if (!block || !act || event.ctrlKey || event.metaKey || event.altKey) return
  if (!moving) {
    if (event.key.toLowerCase() !== 'm' || !canMove(block)) return
    moving = begin(block)
    say(textOf('moving', { name: nameOf(block), time: timeText(moving.wall) }))
    return
  }
  const steps = {
    ArrowUp: -STEP * MINUTE_MS,
    ArrowDown: STEP * MINUTE_MS,
    ArrowLeft: -DAY_MS,
    ArrowRight: DAY_MS,
  }
  const step = steps[/** @type {keyof typeof steps} */ (event.key)]
  if (event.key === 'Escape') {
    stop(moving)
    block.focus()
    say(textOf('stopped'))
  } else if (event.key === 'Enter') {
    const move = moving
    moving = null
    askMove(move)
  } else if (step === undefined) return
  else if (place(block, moving.wall + step)) {
    moving.wall += step
    block.focus()
    say(timeText(moving.wall))
  }
  event.preventDefault()
})

// A phone shows a part of the week: today is in it.
const today = find('.p-column:has([aria-current])')
if (planner && today) {
  const hidden = today.getBoundingClientRect().left - planner.getBoundingClientRect().left
  planner.scrollLeft += hidden - (find('.p-axis')?.offsetWidth ?? 0)
}

// What was changed has the focus again.
const keys = find('.p-keys')
if (keys) keys.hidden = false
try {
  const href = sessionStorage.getItem(FOCUS)
  sessionStorage.removeItem(FOCUS)
  if (href) find(`.planner a[href="${CSS.escape(href)}"]`)?.focus()
} catch {
  // Nothing is remembered.
}

export {}
