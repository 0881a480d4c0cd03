import type { Params } from '../pages/page.ts'
import type { AnonymousRequest, MemberRequest, SignedInRequest } from './request.ts'

type Placed = {
  readonly method: 'GET' | 'POST'
  /** Such as `/console/bookings/:id`. */
  readonly path: `/console${string}`
}

/** A page or a form's action. Its level says which requests reach it. */
export type Screen =
  | (Placed & {
      readonly level: 'anonymous'
      readonly show: (request: AnonymousRequest, params: Params) => Promise<Response>
    })
  | (Placed & {
      readonly level: 'signed-in'
      readonly show: (request: SignedInRequest, params: Params) => Promise<Response>
    })
  | (Placed & {
      readonly level?: never
      /** Whether its form can contain a file. */
      readonly takesFile?: true
      /** How long its form can be, if that is more than others. */
      readonly mostBytes?: number
      readonly show: (request: MemberRequest, params: Params) => Promise<Response>
    })

/** Screens of one topic. Their files are imported when the first of them is requested. */
export type Area = {
  /** The area has the paths with these prefixes, unless another area has a longer one. */
  readonly at: readonly `/console${string}`[]
  readonly open: () => Promise<readonly Screen[]>
}
