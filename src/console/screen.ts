import type { Params } from '../pages/page.ts'
import type { AnonymousRequest, MemberRequest, SignedInRequest } from './request.ts'

type Placed = {
  readonly method: 'GET' | 'POST'
  /** Such as `/console/bookings/:id`. */
  readonly path: `/console${string}`
}

/** What is shown or done at an address. Its level says who may be there. */
export type Screen =
  | (Placed & {
      readonly level: 'door'
      readonly show: (knock: AnonymousRequest, params: Params) => Promise<Response>
    })
  | (Placed & {
      readonly level: 'hall'
      readonly show: (guest: SignedInRequest, params: Params) => Promise<Response>
    })
  | (Placed & {
      readonly level?: never
      readonly show: (visit: MemberRequest, params: Params) => Promise<Response>
    })

/** Screens that belong together; what they are made of is opened when one of them is asked for. */
export type Area = {
  /** What begins so lies here, unless another area names a longer beginning. */
  readonly at: readonly `/console${string}`[]
  readonly open: () => Promise<readonly Screen[]>
}
