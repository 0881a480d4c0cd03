import type { hostRoutes } from '../../booking/hosts/routes.ts'
import type { Host } from '../../booking/hosts/schema.ts'
import type { BodyOf } from '../../platform/http/route-input.ts'
import { numberIn, orNull } from '../form.ts'
import { changedFields } from '../lost-update.ts'
import type { Form } from '../request.ts'

export type HostBody = BodyOf<typeof hostRoutes.updateHost>

/** The fields of all hosts by their names in the form, such as `priority-0192f1e0-…`. */
export type HostValues = Readonly<Record<string, unknown>>

const FIELDS = ['priority', 'weight', 'part', 'schedule_id'] as const
const NAME = /^(priority|weight|part|schedule_id)-(.+)$/

export function hostField(name: (typeof FIELDS)[number], hostId: string): string {
  return `${name}-${hostId}`
}

export function readHosts(form: Form): HostValues {
  const named = [...form.keys()].flatMap((name) => {
    const [, field] = NAME.exec(name) ?? []
    return field ? [[name, valueIn(form, name, field)] as const] : []
  })
  return Object.fromEntries(named)
}

function valueIn(form: Form, name: string, field: string): unknown {
  if (field === 'part') return form.get(name)
  return field === 'schedule_id' ? orNull(form, name) : numberIn(form, name)
}

/** As the form sends them if nobody changes them. */
export function shownHosts(hosts: readonly Host[]): HostValues {
  return Object.fromEntries(
    hosts.flatMap((host) => FIELDS.map((field) => [hostField(field, host.id), host[field]])),
  )
}

/** What a form changes of each host, by its id. */
export function changedHosts(form: Form): ReadonlyMap<string, HostBody> {
  const bodies = new Map<string, HostBody>()
  for (const [name, value] of Object.entries(changedFields(form, readHosts(form)))) {
    const [, field = '', hostId = ''] = NAME.exec(name)!
    bodies.set(hostId, { ...bodies.get(hostId), [field]: value })
  }
  return bodies
}
