import { eventTypeRoutes } from '../../booking/event-types/routes.ts'
import { hostRoutes } from '../../booking/hosts/routes.ts'
import type { Params } from '../../pages/page.ts'
import { seeOther } from '../../pages/respond.ts'
import type { Acted } from '../../platform/http/act-as.ts'
import { type Refusal, Refused } from '../../platform/http/errors.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { ask } from '../ask.ts'
import { changedFields } from '../lost-update.ts'
import type { Form, MemberRequest } from '../request.ts'
import { troubleOf } from '../trouble.ts'
import { showTab } from './editor.tsx'
import { hostsTab } from './hosts.tsx'
import { loadEventType } from './load.ts'
import { isChanged, type Parts, partsIn, renewed, without } from './parts.ts'
import type { EventTypeBody } from './tabs.ts'

export async function addHostFromConsole(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  const { form } = request
  const body = { member_id: form.get('member_id') }
  return acted(request, id, partsOf(form), async () => {
    // First, so that no start is taken away in between.
    if (form.get('meets') === 'any') {
      const strategy = await ask(request, eventTypeRoutes.updateEventType, {
        params: { id },
        body: { assignment_strategy: 'round_robin' },
      })
      if (!strategy.ok) return strategy
    }
    return ask(request, hostRoutes.addHost, { params: { id }, body })
  })
}

export async function removeHostFromConsole(
  request: MemberRequest,
  { id = '', hostId = '' }: Params,
): Promise<Response> {
  const parts = partsOf(request.form, (name) => name.endsWith(`-${hostId}`))
  return acted(request, id, parts, () => ask(request, hostRoutes.removeHost, { params: { id, hostId } }))
}

/** What is not saved: the fields of the act itself and those of a removed host are left out. */
function partsOf(form: Form, isOfRemoved = (_: string) => false): Parts {
  const parts = new Map(partsIn(form, hostsTab.at))
  const own = without(
    parts.get(hostsTab.at)!,
    (name) => ['member_id', 'meets'].includes(name) || isOfRemoved(name),
  )
  if (isChanged(hostsTab, own)) parts.set(hostsTab.at, own)
  else parts.delete(hostsTab.at)
  return parts
}

/** What was typed is not lost, nor is it out of date by this change of one's own. */
async function acted(
  request: MemberRequest,
  id: string,
  parts: Parts,
  act: () => Promise<Acted<unknown>>,
): Promise<Response> {
  const before = parts.size > 0 ? await loadEventType(request, id) : null
  const asked = await act()
  if (!asked.ok) return refused(request, id, parts, asked.refusal)
  if (!before) return seeOther(request.page, `/console/event-types/${id}/hosts?done=saved`)
  const { updated_at } = await loadEventType(request, id)
  const isOwn = (part: Form) => part.get('updated_at') === before.updated_at
  const part = parts.get(hostsTab.at)
  const isRenewed = part !== undefined && isOwn(part)
  return showTab({
    request,
    id,
    tab: hostsTab,
    parts: renewed(parts, updated_at, isOwn),
    isRenewed,
    ...(isRenewed && { typed: changedFields(part, hostsTab.read(part)) as EventTypeBody }),
  })
}

function refused(request: MemberRequest, id: string, parts: Parts, refusal: Refusal) {
  if (refusal.code === 'forbidden') throw new Refused(refusal)
  const trouble = troubleOf(request.page.locale, refusal)
  return showTab({ request, id, tab: hostsTab, parts, trouble, status: formStatus(refusal) })
}
