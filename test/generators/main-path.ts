/** A client that a generator made, each call with the types that it has there. */
export type Generated = {
  createEventType(body: { title: string; slug: string; duration_minutes: number }): Promise<{ id: string }>
  putAvailabilityRules(id: string, rules: Rule[]): Promise<unknown>
  listOpenSlots(query: Query): Promise<{ slots: { start_time: string }[] }>
  createBooking(body: Body): Promise<{ id: string; status: string; cancel_token: string }>
  /** How many alternatives the refusal names. */
  refuseBooking(body: Body): Promise<number | null | undefined>
  cancelBooking(id: string, token: string): Promise<{ status: string }>
  listBookings(query: { status: ('cancelled' | 'confirmed')[]; event_type_id: string[] }): Promise<{
    data: unknown[]
  }>
}
type Rule = { day_of_week: number; start_time: string; end_time: string }
type Query = { event_type_id: string; start: string; end: string; timezone: string }
type Body = { event_type_id: string; start_time: string; invitee_name: string; invitee_email: string }

export const {
  HOLDFAST_URL: baseUrl,
  HOLDFAST_KEY: key,
  DAY: day,
  SLUG: slug,
} = process.env as Record<'HOLDFAST_URL' | 'HOLDFAST_KEY' | 'DAY' | 'SLUG', string>

/** The number of alternatives in a refusal, whose type follows from its code. */
export function alternativesOf(refusal: { error: { code: string; details?: object } } | undefined) {
  const details = refusal?.error.details
  return details && 'alternatives' in details && Array.isArray(details.alternatives)
    ? details.alternatives.length
    : null
}

/** Books, is refused, cancels and lists; prints what it saw. */
export async function walk(api: Generated): Promise<void> {
  const rules = [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
    day_of_week,
    start_time: '00:00',
    end_time: '24:00',
  }))
  const { id } = await api.createEventType({ title: 'Call', slug, duration_minutes: 30 })
  await api.putAvailabilityRules(id, rules)
  const { slots } = await api.listOpenSlots({ event_type_id: id, start: day, end: day, timezone: 'UTC' })
  const body = {
    event_type_id: id,
    start_time: slots[0]!.start_time,
    invitee_name: 'Ada Lovelace',
    invitee_email: 'ada@example.com',
  }
  const booking = await api.createBooking(body)
  const refused = await api.refuseBooking(body)
  const cancelled = await api.cancelBooking(booking.id, booking.cancel_token)
  const page = await api.listBookings({ status: ['cancelled', 'confirmed'], event_type_id: [id] })
  console.log(JSON.stringify([booking.status, refused, cancelled.status, page.data.length]))
}
