import { assertSchedule } from '../../booking/hosts/assert-schedule.ts'
import { hostRoutes } from '../../booking/hosts/routes.ts'
import { scheduleRoutes } from '../../booking/hours/schedules/routes.ts'
import { type Refusal, Refused } from '../../platform/http/errors.ts'
import { ask, need, wrongIn } from '../ask.ts'
import { listAll } from '../list-all.ts'
import type { MemberRequest } from '../request.ts'
import { type HostBody, hostField } from './host-values.ts'

type Changes = ReadonlyMap<string, HostBody>

/** Why something was not saved, and the field of the form that a refusal without fields is about. */
export type Failed = { readonly refusal: Refusal; readonly field?: string }

/** What is wrong with the hosts' fields, before anything is written. A removed host is refused as a change by others. */
export async function wrongInHosts(
  request: MemberRequest,
  id: string,
  changes: Changes,
): Promise<Failed | null> {
  if (changes.size === 0) return null
  const wrong = [...changes].flatMap(([hostId, body]) => {
    const refusal = wrongIn(hostRoutes.updateHost, body)
    return refusal ? [atHost(refusal, hostId)] : []
  })
  const [first] = wrong
  if (first) return { refusal: { ...first, fields: Object.assign({}, ...wrong.map(({ fields }) => fields)) } }
  const chosen = [...changes].filter(([, { schedule_id }]) => typeof schedule_id === 'string')
  if (chosen.length === 0) return null
  const [{ data: hosts }, schedules] = await Promise.all([
    need(request, hostRoutes.listHosts, { params: { id } }),
    listAll(request, scheduleRoutes.listSchedules),
  ])
  for (const [hostId, { schedule_id }] of chosen) {
    const host = hosts.find((one) => one.id === hostId)
    const schedule = schedules.find((one) => one.id === schedule_id)
    const found = schedule && { memberId: schedule.member_id }
    const refusal = host && refusalBy(() => assertSchedule(String(schedule_id), found, host.member_id))
    if (refusal) return { refusal: atHost(refusal, hostId), field: hostField('schedule_id', hostId) }
  }
  return null
}

/** One after another, so that the first refusal is the last thing that happens. */
export async function saveHosts(
  request: MemberRequest,
  id: string,
  changes: Changes,
): Promise<Failed | null> {
  for (const [hostId, body] of changes) {
    const asked = await ask(request, hostRoutes.updateHost, { params: { id, hostId }, body })
    if (!asked.ok) return { refusal: atHost(asked.refusal, hostId) }
  }
  return null
}

/** Its fields by their names in the form. */
function atHost(refusal: Refusal, hostId: string): Refusal {
  const { fields } = refusal
  if (!fields) return refusal
  const named = Object.entries(fields).map(([field, told]) => [`${field}-${hostId}`, told])
  return { ...refusal, fields: Object.fromEntries(named) }
}

function refusalBy(check: () => void): Refusal | null {
  try {
    check()
    return null
  } catch (error) {
    if (error instanceof Refused) return error.refusal
    throw error
  }
}
