/**
 * @typedef {import('./types.d.ts').Answer} Answer
 * @typedef {import('./types.d.ts').EventType} EventType
 * @typedef {import('./types.d.ts').Person} Person
 * @typedef {import('./types.d.ts').Target} Target
 * @typedef {{
 *   kind: 'book' | 'confirm' | 'cancel' | 'move' | 'approve',
 *   eventType: EventType, start: number, end: number, email: string | null, id: string | null, answer: Answer,
 *   due: 'offered' | 'made' | null,
 * }} Act
 */

const MINUTE_MS = 60_000

/**
 * A target whose calls are timed and remembered, as the auditor needs them.
 *
 * @param {Target} target
 */
export function watch(target) {
  /** @type {Act[]} */
  const acts = []
  /** @type {number[]} */
  const times = []
  let calls = 0
  let failed = 0

  /** @template {Answer} T @param {() => Promise<T>} call @returns {Promise<T>} */
  const timed = async (call) => {
    const since = performance.now()
    const answer = await call()
    times.push(performance.now() - since)
    calls++
    if (answer.kind === 'failed') failed++
    return answer
  }

  /**
   * @param {EventType} eventType
   * @param {number} start
   * @param {Person} person
   * @param {'offered' | 'made' | null} due Offered just before while nobody else was there, or made by an earlier attempt.
   */
  const book = async (eventType, start, person, due = null) => {
    const answer = await timed(() => target.book(eventType, start, person))
    const end = start + (person.minutes ?? eventType.minutes) * MINUTE_MS
    const id = answer.kind === 'made' ? answer.id : null
    acts.push({ kind: 'book', eventType, start, end, email: person.email, id, answer, due })
    return answer
  }

  /** @param {EventType} eventType @param {number} start @param {string} hold @param {Person} person */
  const confirm = async (eventType, start, hold, person) => {
    const answer = await timed(() => target.confirm?.(hold, person) ?? cannot('confirm'))
    const end = start + eventType.minutes * MINUTE_MS
    const id = answer.kind === 'made' ? answer.id : null
    acts.push({ kind: 'confirm', eventType, start, end, email: person.email, id, answer, due: null })
    return answer
  }

  /** @param {EventType} eventType @param {number} start */
  const hold = (eventType, start) => timed(() => target.hold?.(eventType, start) ?? cannot('hold'))

  /** @param {'cancel' | 'move' | 'approve'} kind @param {EventType} eventType @param {string} id @param {number} start */
  const change = async (kind, eventType, id, start) => {
    const answer = await timed(() => {
      if (kind === 'move') return target.move?.(id, start) ?? cannot(kind)
      return target[kind]?.(id) ?? cannot(kind)
    })
    const end = start + eventType.minutes * MINUTE_MS
    acts.push({ kind, eventType, start, end, email: null, id, answer, due: null })
    return answer
  }

  return {
    target,
    acts,
    times,
    book,
    hold,
    confirm,
    /** @param {EventType} eventType @param {string} id */
    cancel: (eventType, id) => change('cancel', eventType, id, 0),
    /** @param {EventType} eventType @param {string} id */
    approve: (eventType, id) => change('approve', eventType, id, 0),
    /** @param {EventType} eventType @param {string} id @param {number} start */
    move: (eventType, id, start) => change('move', eventType, id, start),
    counts: () => ({ calls, failed, made: acts.filter(({ answer }) => answer.kind === 'made').length }),
  }
}

/** @param {string} what @returns {never} */
function cannot(what) {
  throw new Error(`the adapter says that it can ${what} and has no such call`)
}

/** @typedef {ReturnType<typeof watch>} Watched */
