/** Of 36 characters, these are the time, the counter, the shard and some of the random bits. */
const KEPT = 24

/**
 * The id of the first delivery of an event to an endpoint: the same however often it is made, in the order of the events, and
 * as hard to guess as theirs.
 */
export function firstDeliveryId(eventId: string, endpointId: string): string {
  const mixed = lastBitsOf(eventId) ^ lastBitsOf(endpointId)
  return eventId.slice(0, KEPT) + mixed.toString(16).padStart(eventId.length - KEPT, '0')
}

function lastBitsOf(id: string): bigint {
  return BigInt(`0x${id.slice(KEPT)}`)
}
