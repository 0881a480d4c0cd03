import { eventTypeRoutes } from '../../booking/event-types/routes.ts'
import { seeOther } from '../../pages/respond.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { Refused } from '../../platform/http/errors.ts'
import { ask } from '../ask.ts'
import { forbiddenPage } from '../refusal-pages.tsx'
import type { MemberRequest } from '../request.ts'
import { loadGroups } from './load.ts'

/** Moves one up or down under its heading, or takes the order that was dragged. */
export async function orderEventTypes(visit: MemberRequest): Promise<Response> {
  if (!isRolePermitted(visit.member.role, 'administer')) return forbiddenPage(visit)
  const groups = await loadGroups(visit)
  const dragged = (visit.form.get('order') ?? '').split(',')
  const moved = visit.form.get('up') ?? visit.form.get('down')
  const by = visit.form.has('up') ? -1 : 1
  const ordered = groups.flatMap(([, own]) => {
    const at = own.findIndex(({ id }) => id === moved)
    const to = at + by
    if (at >= 0 && to >= 0 && to < own.length) return own.with(at, own[to]!).with(to, own[at]!)
    const placeOf = ({ id }: (typeof own)[number]) => dragged.indexOf(id)
    return own.every((one) => placeOf(one) >= 0) ? own.toSorted((a, b) => placeOf(a) - placeOf(b)) : own
  })
  for (const [position, { id, position: before }] of ordered.entries()) {
    if (position === before) continue
    const asked = await ask(visit, eventTypeRoutes, 'updateEventType', { params: { id }, body: { position } })
    if (!asked.ok) throw new Refused(asked.refusal)
  }
  // Whoever moves it by a key goes on where it is.
  return seeOther(visit.page, `/console/event-types${moved ? `#${moved}` : ''}`)
}
