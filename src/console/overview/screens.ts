import type { Screen } from '../screen.ts'
import { showOverview } from './show-overview.tsx'

export const overviewScreens: readonly Screen[] = [
  { method: 'GET', path: '/console/overview', show: showOverview },
]
