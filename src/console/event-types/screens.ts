import type { Screen } from '../screen.ts'
import { basicsTab } from './basics.tsx'
import { createFromConsole, showNewEventType } from './create.tsx'
import { confirmDelete, deleteFromConsole } from './delete.tsx'
import { editorTab } from './editor.tsx'
import { appearanceTab } from './event-appearance.tsx'
import { addHostFromConsole, removeHostFromConsole } from './host-acts.ts'
import { hostsTab } from './hosts.tsx'
import { hoursTab } from './hours.tsx'
import { showEventTypes } from './list.tsx'
import { orderEventTypes } from './order.ts'
import { paymentTab } from './payment.tsx'
import { formTab } from './questions.tsx'
import { requiresTab } from './requires.tsx'
import { editorScreens, MOST_BYTES } from './save.ts'

const EDITOR = [
  editorTab(basicsTab),
  hoursTab,
  hostsTab,
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
  {
    method: 'POST',
    path: '/console/event-types/:id/hosts/add',
    mostBytes: MOST_BYTES,
    show: addHostFromConsole,
  },
  {
    method: 'POST',
    path: '/console/event-types/:id/hosts/:hostId',
    mostBytes: MOST_BYTES,
    show: removeHostFromConsole,
  },
  { method: 'GET', path: '/console/event-types/:id/delete', show: confirmDelete },
  { method: 'POST', path: '/console/event-types/:id/delete', show: deleteFromConsole },
]
