import type { Screen } from '../screen.ts'
import { saveNotes, showClient } from './client.tsx'
import { showClients } from './list.tsx'

export const clientScreens: readonly Screen[] = [
  { method: 'GET', path: '/console/clients', show: showClients },
  { method: 'GET', path: '/console/clients/one', show: showClient },
  { method: 'POST', path: '/console/clients/one', show: saveNotes },
]
