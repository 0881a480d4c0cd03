import type { VNode } from 'preact'
import type { eventTypeRoutes } from '../../booking/event-types/routes.ts'
import type { EventType } from '../../booking/event-types/schema.ts'
import type { Refusal } from '../../platform/http/errors.ts'
import type { BodyOf } from '../../platform/http/route-input.ts'
import type { eventTypeTexts } from '../../platform/i18n/console/event-types.ts'
import type { Locale } from '../../platform/i18n/locale.ts'
import type { Form, MemberRequest } from '../request.ts'
import type { Trouble } from '../trouble.ts'

export const TABS = [
  { at: '', name: 'tabBasics' },
  { at: '/hours', name: 'tabHours' },
  { at: '/hosts', name: 'tabHosts' },
  { at: '/rooms', name: 'tabRooms' },
  { at: '/form', name: 'tabForm' },
  { at: '/payment', name: 'tabPayment' },
  { at: '/look', name: 'tabLook' },
] as const satisfies readonly { readonly at: string; readonly name: keyof (typeof eventTypeTexts)['en'] }[]

export type TabPath = (typeof TABS)[number]['at']

export type Problems = NonNullable<Refusal['fields']>

/** What the form sends to the endpoint: values as they were typed. */
export type EventTypeBody = BodyOf<typeof eventTypeRoutes.updateEventType>

export type FieldsProps = {
  readonly request: MemberRequest
  readonly locale: Locale
  /** As it is saved, with what was typed over it where that was refused. */
  readonly value: EventType
  readonly trouble: Trouble
}

/** A part of the editor that is fields of the event type and nothing else. */
export type FieldsTab = {
  readonly at: TabPath
  readonly Fields: (props: FieldsProps) => VNode
  readonly read: (form: Form) => EventTypeBody
  /** What went wrong with a field, where people count in something else than the endpoint. */
  readonly reword?: (locale: Locale, fields: Problems, body: EventTypeBody) => Problems
  /** The form's fields by the endpoint's, where they differ. */
  readonly names?: Readonly<Record<string, string>>
}
