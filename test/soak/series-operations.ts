import type { Asked } from './caller.ts'
import { PLACES } from './kinds.ts'
import { type Ledger, type Series, type Whole, wholeOf } from './ledger.ts'
import { address, type Drawn, type Draws, keyOf, type Operation } from './operation.ts'

const MOST_STARTS = 4

/** Draws what clients do with series, each of which belongs to one of them until it has an answer. */
export class SeriesOperations {
  readonly #ledger: Ledger
  readonly #draws: Draws
  readonly #made: Series[] = []

  constructor(ledger: Ledger, draws: Draws) {
    this.#ledger = ledger
    this.#draws = draws
  }

  next(place: Drawn, starts: readonly string[]): Operation {
    const { below } = this.#draws
    if (this.#made.length === 0 || below(3) > 0) return this.#book(place, starts)
    const at = this.#made.length - 1 - below(Math.min(20, this.#made.length))
    const [series] = this.#made.splice(at, 1)
    return below(2) === 0 ? this.#cancel(series!) : this.#decide(series!)
  }

  #book({ organization: { id: organizationId }, eventTypeId }: Drawn, all: readonly string[]): Operation {
    const { below, pick } = this.#draws
    const drawn = Array.from({ length: 2 + below(MOST_STARTS - 1) }, () => pick([...all]))
    const starts = [...new Set([...drawn, all[0]!, all[1]!])].slice(0, Math.max(2, drawn.length)).sort()
    const mayMiss = below(2) === 0
    const email = address()
    const series: Series = {
      ...{ email, organizationId, eventTypeId, starts, mayMiss },
      ...{ id: null, token: null, wholes: null },
    }
    this.#ledger.series.push(series)
    const person = { invitee_name: 'Ada Lovelace', invitee_email: email, place_id: PLACES[0].id }
    const body = { ...person, event_type_id: eventTypeId, starts, on_conflict: mayMiss ? 'skip' : 'fail' }
    return {
      name: 'series',
      asked: { method: 'POST', path: '/v1/series', body, key: keyOf(this.#draws), as: organizationId },
      settle: ({ status, body: made }) => {
        series.wholes = status === 201 ? [wholeOf(made.bookings)] : []
        if (status !== 201) return
        series.id = made.id
        series.token = made.cancel_token
        const missing = made.skipped.map((one: { start_time: string }) =>
          new Date(one.start_time).toISOString(),
        )
        const told = [
          ...made.bookings.map((one: { start_time: string }) => new Date(one.start_time).toISOString()),
          ...missing,
        ]
        if (told.sort().join() !== starts.join()) this.#ledger.find('another series', starts, made)
        if (!mayMiss && missing.length > 0) this.#ledger.find('starts are missing', made)
        this.#made.push(series)
      },
    }
  }

  #cancel(series: Series): Operation {
    const { below, pick } = this.#draws
    const from = below(2) === 0 ? pick([...series.starts]) : null
    const isByKey = below(3) === 0
    const path = `/v1/series/${series.id}/cancel`
    return this.#ofSeries('cancel series', series, (place) => (isIn(place, from) ? 'cancelled' : null), {
      method: 'POST',
      path: isByKey ? path : `${path}?token=${series.token}`,
      body: from === null ? {} : { from },
      key: keyOf(this.#draws),
      ...(isByKey && { as: series.organizationId }),
    })
  }

  #decide(series: Series): Operation {
    const verb = this.#draws.pick(['approve', 'approve', 'decline'])
    const asked = {
      method: 'POST',
      path: `/v1/series/${series.id}/${verb}`,
      body: {},
      key: keyOf(this.#draws),
    }
    const place = verb === 'approve' ? 'booked' : 'cancelled'
    return this.#ofSeries(`${verb} series`, series, (one) => (one.endsWith('=asked') ? place : null), {
      ...asked,
      as: series.organizationId,
    })
  }

  /** Until it is answered, it is as it was, or all that `change` names is changed. */
  #ofSeries(name: string, series: Series, change: (place: string) => string | null, asked: Asked): Operation {
    const before = series.wholes!
    const after = before.map((whole) => changed(whole, change))
    series.wholes = [...before, ...after]
    return {
      name,
      asked,
      settle: ({ status }) => {
        series.wholes = status === 200 ? after : before
        this.#made.push(series)
      },
    }
  }
}

function changed(whole: Whole, change: (place: string) => string | null): Whole {
  return whole.map((place) => {
    const to = change(place)
    return to === null ? place : `${place.split('=')[0]}=${to}`
  })
}

function isIn(place: string, from: string | null): boolean {
  return from === null || place.split('=')[0]! >= from
}
