import type { Screen } from '../screen.ts'
import { showImport } from './show-import.tsx'
import { showImports } from './show-imports.tsx'
import { startFromConsole } from './start.tsx'

export const importScreens: readonly Screen[] = [
  { method: 'GET', path: '/console/settings/import', show: showImports },
  { method: 'POST', path: '/console/settings/import', show: startFromConsole },
  { method: 'GET', path: '/console/settings/import/:id', show: showImport },
]
