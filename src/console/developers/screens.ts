import type { Screen } from '../screen.ts'
import { showCall } from './call.tsx'
import { showCalls } from './calls.tsx'
import { showKeys } from './keys.tsx'
import { createKeyInConsole, showNewKey } from './new-key.tsx'
import { revokeKeyInConsole } from './revoke-key.ts'

export const developerScreens: readonly Screen[] = [
  { method: 'GET', path: '/console/developers', show: showKeys },
  { method: 'GET', path: '/console/developers/keys/new', show: showNewKey },
  { method: 'POST', path: '/console/developers/keys/new', show: createKeyInConsole },
  { method: 'POST', path: '/console/developers/keys/:id/revoke', show: revokeKeyInConsole },
  { method: 'GET', path: '/console/developers/requests', show: showCalls },
  { method: 'GET', path: '/console/developers/requests/:id', show: showCall },
]
