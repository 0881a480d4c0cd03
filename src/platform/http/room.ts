import type { Route } from './route.ts'

/** Endpoints that belong together. Their schemas cost more to make than to use, so each isolate makes those it is asked for. */
export type Room = {
  /** Paths such as `/v1/event-types/:id/hosts`: what begins so lies here, unless another room names a longer beginning. */
  readonly at: readonly `/${string}`[]
  readonly open: () => Promise<Readonly<Record<string, Route>>>
}

/** The endpoints of all of them, in their order. */
export async function openRooms(rooms: readonly Room[]): Promise<readonly Route[]> {
  return (await Promise.all(rooms.map(({ open }) => open()))).flatMap((routes) => Object.values(routes))
}
