import type { Screen } from '../screen.ts'
import { setUp } from './set-up.ts'
import { showStart } from './start.tsx'

export const startScreens: readonly Screen[] = [
  { method: 'GET', path: '/console/start', show: showStart },
  { method: 'POST', path: '/console/start', show: setUp },
]
