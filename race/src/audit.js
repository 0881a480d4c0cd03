/**
 * @typedef {import('./types.d.ts').Booking} Booking
 * @typedef {import('./types.d.ts').EventType} EventType
 * @typedef {import('./types.d.ts').Finding} Finding
 * @typedef {import('./watch.js').Act} Act
 */

/** @param {number} at */
const at = (at) => new Date(at).toISOString().slice(0, 16)

/** @param {{ start: number, end: number }} one @param {{ start: number, end: number }} other */
const overlap = (one, other) => one.start < other.end && other.start < one.end

/**
 * Compares what callers were told with what the target lists when all is quiet.
 *
 * @param {readonly Act[]} acts
 * @param {ReadonlyMap<EventType, readonly Booking[]>} listed
 * @param {{ fullUse?: boolean }} rules `fullUse`: nothing was given back, so a refusal needs a booking in its way.
 * @returns {Finding[]}
 */
export function audit(acts, listed, { fullUse = true } = {}) {
  return [
    ...findDoubles(listed),
    ...findLost(acts, listed),
    ...findFalseOffers(acts),
    ...(fullUse ? findFalseRefusals(acts, listed) : []),
  ]
}

/**
 * @param {ReadonlyMap<EventType, readonly Booking[]>} listed
 * @returns {Finding[]}
 */
function findDoubles(listed) {
  /** @type {Map<string, { eventType: EventType, booking: Booking }[]>} */
  const byHolder = new Map()
  for (const [eventType, bookings] of listed) {
    for (const booking of bookings.filter(({ isActive }) => isActive)) {
      const holder = booking.host ?? eventType.id
      byHolder.set(holder, [...(byHolder.get(holder) ?? []), { eventType, booking }])
    }
  }
  /** @type {Finding[]} */
  const found = []
  for (const [holder, entries] of byHolder) {
    const inOrder = entries.sort((one, other) => one.booking.start - other.booking.start)
    for (const [index, { eventType, booking }] of inOrder.entries()) {
      // Seats of one session share a start; a booking beyond them is one too many.
      const before = inOrder.slice(0, index).filter((earlier) => overlap(earlier.booking, booking))
      const isSession = before.every(
        (earlier) => earlier.eventType === eventType && earlier.booking.start === booking.start,
      )
      const seats = isSession ? (eventType.seats ?? 1) : 1
      if (before.length >= seats) {
        found.push({ kind: 'double', what: `${booking.id} at ${at(booking.start)} of ${holder}` })
      }
    }
  }
  return [...found, ...findBeyondCaps(listed)]
}

/**
 * @param {ReadonlyMap<EventType, readonly Booking[]>} listed
 * @returns {Finding[]}
 */
function findBeyondCaps(listed) {
  return [...listed].flatMap(([eventType, bookings]) => {
    if (eventType.capPerDay === undefined) return []
    /** @type {Map<string, number>} */
    const days = new Map()
    for (const { start } of bookings.filter(({ isActive }) => isActive)) {
      const day = at(start).slice(0, 10)
      days.set(day, (days.get(day) ?? 0) + 1)
    }
    const cap = eventType.capPerDay
    return [...days].flatMap(([day, count]) =>
      Array.from({ length: Math.max(0, count - cap) }, () => ({
        kind: /** @type {const} */ ('double'),
        what: `one booking more than ${cap} on ${day}`,
      })),
    )
  })
}

/**
 * Whoever was told yes, and neither cancelled nor moved since, is listed at that time.
 *
 * @param {readonly Act[]} acts
 * @param {ReadonlyMap<EventType, readonly Booking[]>} listed
 * @returns {Finding[]}
 */
function findLost(acts, listed) {
  const all = new Map([...listed.values()].flat().map((booking) => [booking.id, booking]))
  const cancels = new Set(acts.flatMap(({ kind, id }) => (kind === 'cancel' && id ? [id] : [])))
  /** @type {Map<string, Set<number>>} */
  const places = new Map()
  for (const { kind, id, start, answer } of acts) {
    if (id === null || (kind !== 'book' && kind !== 'confirm' && kind !== 'move')) continue
    // A move without an answer may have happened.
    if (kind === 'move' ? answer.kind === 'taken' : answer.kind !== 'made') continue
    const earlier = places.get(id) ?? new Set()
    // What moves of one booking ran in which order is not known: any of their starts will do.
    places.set(id, earlier.add(start))
  }
  /** @type {Finding[]} */
  const found = []
  for (const [id, starts] of places) {
    const booking = all.get(id)
    const where = [...starts].map(at).join(' or ')
    if (!booking) found.push({ kind: 'lost', what: `${id}, made for ${where}, is not listed` })
    else if (!booking.isActive && !cancels.has(id)) {
      found.push({ kind: 'lost', what: `${id} at ${where} is cancelled by nobody` })
    } else if (booking.isActive && !starts.has(booking.start)) {
      found.push({ kind: 'lost', what: `${id} is at ${at(booking.start)} instead of ${where}` })
    }
  }
  for (const id of cancels) {
    const wasMade = acts.some((act) => act.kind === 'cancel' && act.id === id && act.answer.kind === 'made')
    if (wasMade && all.get(id)?.isActive) found.push({ kind: 'lost', what: `the cancellation of ${id}` })
  }
  return found
}

/** @param {readonly Act[]} acts @returns {Finding[]} */
function findFalseOffers(acts) {
  return acts
    .filter(({ due, answer }) => due === 'offered' && answer.kind === 'taken')
    .map(({ start, answer }) => ({
      kind: /** @type {const} */ ('false_offer'),
      what: `${at(start)} was offered and refused: ${answer.kind === 'made' ? '' : answer.why}`,
    }))
}

/**
 * A refused start that somebody could still have: a host has nothing in its way, a session has a seat, a day has room.
 *
 * @param {readonly Act[]} acts
 * @param {ReadonlyMap<EventType, readonly Booking[]>} listed
 * @returns {Finding[]}
 */
function findFalseRefusals(acts, listed) {
  const everything = [...listed].flatMap(([eventType, bookings]) =>
    bookings.map((booking) => ({ ...booking, eventType, holder: booking.host ?? eventType.id })),
  )
  /** @type {Finding[]} */
  const found = []
  for (const act of acts) {
    if (act.kind !== 'book' || act.due === 'offered' || act.answer.kind !== 'taken') continue
    const { eventType } = act
    const own = everything.filter((booking) => booking.eventType === eventType)
    if (eventType.capPerDay !== undefined) {
      const day = at(act.start).slice(0, 10)
      if (own.filter(({ start }) => at(start).slice(0, 10) === day).length >= eventType.capPerDay) continue
    }
    const holders = eventType.hosts?.length ? eventType.hosts : [eventType.id]
    const isFree = holders.some((holder) => {
      const inTheWay = everything.filter((booking) => booking.holder === holder && overlap(booking, act))
      const isSession = inTheWay.every(
        (booking) => booking.eventType === eventType && booking.start === act.start,
      )
      return isSession && inTheWay.length < (eventType.seats ?? 1)
    })
    if (isFree || act.due === 'made') {
      found.push({
        kind: 'false_refusal',
        what: `${at(act.start)} was refused and could be had: ${act.answer.kind === 'taken' ? act.answer.why : ''}`,
      })
    }
  }
  return found
}
