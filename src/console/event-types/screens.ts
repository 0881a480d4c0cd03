import type { Screen } from '../screen.ts'
import { basicsTab } from './basics.tsx'
import { createFromConsole, showNewEventType } from './create.tsx'
import { confirmDelete, deleteFromConsole } from './delete.tsx'
import { fieldsScreens } from './editor.tsx'
import { appearanceTab } from './event-appearance.tsx'
import { addHostFromConsole, saveHost, saveStrategy, showHosts } from './hosts.tsx'
import { saveEventTypeHours, showEventTypeHours } from './hours.tsx'
import { showEventTypes } from './list.tsx'
import { orderEventTypes } from './order.ts'
import { paymentTab } from './payment.tsx'
import { formTab } from './questions.tsx'
import { saveRequires, showRequires } from './requires.tsx'

export const eventTypeScreens: readonly Screen[] = [
  { method: 'GET', path: '/console/event-types', show: showEventTypes },
  { method: 'POST', path: '/console/event-types/order', show: orderEventTypes },
  { method: 'GET', path: '/console/event-types/new', show: showNewEventType },
  { method: 'POST', path: '/console/event-types/new', show: createFromConsole },
  ...fieldsScreens(basicsTab),
  { method: 'GET', path: '/console/event-types/:id/hours', show: showEventTypeHours },
  { method: 'POST', path: '/console/event-types/:id/hours', show: saveEventTypeHours },
  { method: 'GET', path: '/console/event-types/:id/hosts', show: showHosts },
  { method: 'POST', path: '/console/event-types/:id/hosts', show: saveStrategy },
  { method: 'POST', path: '/console/event-types/:id/hosts/add', show: addHostFromConsole },
  { method: 'POST', path: '/console/event-types/:id/hosts/:hostId', show: saveHost },
  { method: 'GET', path: '/console/event-types/:id/rooms', show: showRequires },
  { method: 'POST', path: '/console/event-types/:id/rooms', show: saveRequires },
  ...fieldsScreens(formTab),
  ...fieldsScreens(paymentTab),
  ...fieldsScreens(appearanceTab),
  { method: 'GET', path: '/console/event-types/:id/delete', show: confirmDelete },
  { method: 'POST', path: '/console/event-types/:id/delete', show: deleteFromConsole },
]
