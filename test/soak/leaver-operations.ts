import { randomUUID } from 'node:crypto'
import type { Organization } from './kinds.ts'
import type { Leaver, Ledger } from './ledger.ts'
import { address, type Draws, keyOf, type Operation } from './operation.ts'
import { HOSTED } from './world.ts'

type Invited = { readonly token: string; readonly email: string }

/** Those of one organization who were invited, and who joined and may leave. */
type Crew = { readonly invited: Invited[]; readonly joined: Leaver[] }

const MOST_JOINED = 2

/** Draws people who are invited, join, host and leave, so that others host what was booked with them, or nobody does. */
export class LeaverOperations {
  readonly #ledger: Ledger
  readonly #draws: Draws
  readonly #crews = new Map<string, Crew>()

  constructor(ledger: Ledger, draws: Draws) {
    this.#ledger = ledger
    this.#draws = draws
  }

  next(organization: Organization): Operation {
    const crew = this.#crews.get(organization.id) ?? { invited: [], joined: [] }
    this.#crews.set(organization.id, crew)
    const invited = crew.invited.pop()
    if (invited) return this.#accept(organization, crew, invited)
    if (crew.joined.length < MOST_JOINED && this.#draws.below(3) === 0)
      return this.#invite(organization, crew)
    const one = crew.joined.length > 0 ? this.#draws.pick(crew.joined) : null
    if (!one) return this.#invite(organization, crew)
    return this.#draws.below(3) === 0 ? this.#leave(crew, one) : this.#host(organization, one)
  }

  #invite({ id: as }: Organization, { invited }: Crew): Operation {
    const email = address()
    const asked = { method: 'POST', path: `/v1/organizations/${as}/invitations`, as, key: keyOf(this.#draws) }
    return {
      name: 'invite',
      asked: { ...asked, body: { email, role: 'member' } },
      settle: ({ status, body }) => {
        if (status === 201) invited.push({ token: body.token, email })
      },
    }
  }

  #accept({ id: organizationId }: Organization, { joined }: Crew, { token, email }: Invited): Operation {
    const body = { token, user_id: randomUUID(), user_email: email }
    return {
      name: 'join',
      asked: { method: 'POST', path: '/v1/invitations/accept', body, isOperator: true },
      settle: ({ status, body: { id } }) => {
        if (status >= 300) return
        const leaver: Leaver = { id, organizationId, hasLeft: false }
        this.#ledger.leavers.push(leaver)
        joined.push(leaver)
      },
    }
  }

  #host({ id: as, types }: Organization, { id: member_id }: Leaver): Operation {
    const path = `/v1/event-types/${types[this.#draws.below(HOSTED)]}/hosts`
    const asked = { method: 'POST', path, body: { member_id }, as, key: keyOf(this.#draws) }
    return { name: 'host for a while', asked, settle: () => {} }
  }

  #leave({ joined }: Crew, one: Leaver): Operation {
    joined.splice(joined.indexOf(one), 1)
    one.hasLeft = null
    const handsOver = this.#draws.below(2) === 0
    const path = `/v1/organizations/${one.organizationId}/members/${one.id}`
    return {
      name: handsOver ? 'leave to others' : 'leave the team',
      asked: {
        method: 'DELETE',
        path: handsOver ? `${path}?bookings=reassign` : path,
        as: one.organizationId,
        key: keyOf(this.#draws),
      },
      settle: ({ status }) => {
        one.hasLeft = status < 300
        if (!one.hasLeft) joined.push(one)
      },
    }
  }
}
