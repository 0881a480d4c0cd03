import type { ComponentChildren, VNode } from 'preact'
import type { eventTypeRoutes } from '../../booking/event-types/routes.ts'
import type { EventType } from '../../booking/event-types/schema.ts'
import type { availabilityRoutes } from '../../booking/slots/routes.ts'
import type { Refusal } from '../../platform/http/errors.ts'
import type { BodyOf } from '../../platform/http/route-input.ts'
import type { eventTypeTexts } from '../../platform/i18n/console/event-types.ts'
import type { Locale } from '../../platform/i18n/locale.ts'
import type { Form, MemberRequest } from '../request.ts'
import type { Trouble } from '../trouble.ts'
import type { HostValues } from './host-values.ts'

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

/** What was typed in a tab, over what is saved. */
export type Typed = { readonly value: EventTypeBody; readonly form: Form }

export type HoursBody = BodyOf<typeof availabilityRoutes.putAvailabilityRules>

/** A part of the editor. One form holds its fields; what one button saves may be of several. */
export type EditorTab = {
  readonly at: TabPath
  readonly open: (asked: AskedTab) => Promise<OpenTab>
  readonly read: (form: Form) => EventTypeBody
  /** Its hours, and how the form calls the fields that the endpoint names. */
  readonly readHours?: (form: Form) => {
    readonly hours: HoursBody
    readonly names: Readonly<Record<string, string>>
  }
  /** The fields of its hosts. */
  readonly readHosts?: (form: Form) => HostValues
  readonly reword?: FieldsTab['reword']
  readonly names?: FieldsTab['names']
}

export type AskedTab = {
  readonly request: MemberRequest
  readonly id: string
  /** It is being loaded, so that what else a tab loads does not wait for it. */
  readonly eventType: Promise<EventType>
  readonly typed: Typed | null
  readonly trouble: Trouble
}

export type OpenTab = {
  readonly fields: ComponentChildren
  /** What the form keeps of the state that it shows. */
  readonly shown: Readonly<Record<string, string>>
}

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
  /** The saved state as its form sends it unchanged, if that differs. */
  readonly asSent?: (eventType: EventType) => Partial<EventType>
  /** What went wrong with a field, where people count in something else than the endpoint. */
  readonly reword?: (locale: Locale, fields: Problems, body: EventTypeBody) => Problems
  /** The form's fields by the endpoint's, where they differ. */
  readonly names?: Readonly<Record<string, string>>
}
