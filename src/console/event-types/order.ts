import { eventTypeRoutes } from '../../booking/event-types/routes.ts'
import { seeOther } from '../../pages/respond.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { Refused } from '../../platform/http/errors.ts'
import { ask } from '../ask.ts'
import { forbiddenPage } from '../refusal-pages.tsx'
import type { MemberRequest } from '../request.ts'
import { loadGroups } from './load.ts'

/** Moves one up or down under its heading, or takes the order that was dragged. */
export async function orderEventTypes(request: MemberRequest): Promise<Response> {
  if (!isRolePermitted(request.member.role, 'administer')) return forbiddenPage(request)
  const groups = await loadGroups(request)
  const dragged = (request.form.get('order') ?? '').split(',')
  const moved = request.form.get('up') ?? request.form.get('down')
  const by = request.form.has('up') ? -1 : 1
  const ordered = groups.flatMap(([, own]) => {
    const at = own.findIndex(({ id }) => id === moved)
    const to = at + by
    if (at >= 0 && to >= 0 && to < own.length) return own.with(at, own[to]!).with(to, own[at]!)
    const placeOf = ({ id }: (typeof own)[number]) => dragged.indexOf(id)
    return own.every((one) => placeOf(one) >= 0) ? own.toSorted((a, b) => placeOf(a) - placeOf(b)) : own
  })
  for (const [position, { id, position: before }] of ordered.entries()) {
    if (position === before) continue
    const asked = await ask(request, eventTypeRoutes.updateEventType, {
      params: { id },
      body: { position },
    })
    if (!asked.ok) throw new Refused(asked.refusal)
  }
  // After moving it with a key, the focus stays on it.
  const focus = ordered.some(({ id }) => id === moved) ? `#${moved}` : ''
  return seeOther(request.page, `/console/event-types${focus}`)
}
