import type { Screen } from '../screen.ts'
import { basicsTab } from './basics.tsx'
import { createFromConsole, showNewEventType } from './create.tsx'
import { confirmDelete, deleteFromConsole } from './delete.tsx'
import { editorTab } from './editor.tsx'
import { appearanceTab } from './event-appearance.tsx'
import { addHostFromConsole, hostsTab, saveHost } from './hosts.tsx'
import { hoursTab } from './hours.tsx'
import { showEventTypes } from './list.tsx'
import { orderEventTypes } from './order.ts'
import { paymentTab } from './payment.tsx'
import { formTab } from './questions.tsx'
import { requiresTab } from './requires.tsx'
import { editorScreens } from './save.ts'

const EDITOR = [
  editorTab(basicsTab),
  hoursTab,
  hostsTab(),
  requiresTab,
  editorTab(formTab),
  editorTab(paymentTab),
  editorTab(appearanceTab),
]

export const eventTypeScreens: readonly Screen[] = [
  { method: 'GET', path: '/console/event-types', show: showEventTypes },
  { method: 'POST', path: '/console/event-types/order', show: orderEventTypes },
  { method: 'GET', path: '/console/event-types/new', show: showNewEventType },
  { method: 'POST', path: '/console/event-types/new', show: createFromConsole },
  ...editorScreens(EDITOR),
  { method: 'POST', path: '/console/event-types/:id/hosts/add', show: addHostFromConsole },
  { method: 'POST', path: '/console/event-types/:id/hosts/:hostId', show: saveHost },
  { method: 'GET', path: '/console/event-types/:id/delete', show: confirmDelete },
  { method: 'POST', path: '/console/event-types/:id/delete', show: deleteFromConsole },
]
