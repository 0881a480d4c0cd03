import { type RefObject, useEffect, useRef } from 'react'

/** What a site hears of a booking page. None of it carries a token or a name. */
export type BookingEvents = {
  readonly viewed: { readonly org: string; readonly event: string | null }
  readonly date_selected: { readonly date: string }
  readonly time_selected: { readonly start_time: string }
  readonly booked: {
    readonly id: string
    readonly status: string
    readonly start_time: string
    readonly end_time: string
    readonly event_type: { readonly id: string; readonly slug: string; readonly title: string }
  }
  /** An error code of the API, `not_found` where there is no such page, or `unreachable`. */
  readonly failed: { readonly code: string }
}

export type BookingHandlers = {
  readonly onViewed?: ((detail: BookingEvents['viewed']) => void) | undefined
  readonly onDateSelected?: ((detail: BookingEvents['date_selected']) => void) | undefined
  readonly onTimeSelected?: ((detail: BookingEvents['time_selected']) => void) | undefined
  readonly onBooked?: ((detail: BookingEvents['booked']) => void) | undefined
  readonly onFailed?: ((detail: BookingEvents['failed']) => void) | undefined
}

const HANDLERS = {
  viewed: 'onViewed',
  date_selected: 'onDateSelected',
  time_selected: 'onTimeSelected',
  booked: 'onBooked',
  failed: 'onFailed',
} as const

/** Calls the handlers of the latest render with what begins at the element. */
export function useBookingEvents(element: RefObject<HTMLElement | null>, handlers: BookingHandlers): void {
  const latest = useRef(handlers)
  useEffect(() => {
    latest.current = handlers
  })
  useEffect(() => {
    const stage = element.current
    if (!stage) return
    const ends = Object.entries(HANDLERS).map(([type, name]) => {
      const hear = (event: Event) =>
        (latest.current[name] as ((detail: unknown) => void) | undefined)?.((event as CustomEvent).detail)
      stage.addEventListener(`holdfast:${type}`, hear)
      return () => stage.removeEventListener(`holdfast:${type}`, hear)
    })
    return () => {
      for (const end of ends) end()
    }
  }, [element])
}
