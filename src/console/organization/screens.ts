import type { Screen } from '../screen.ts'
import { chooseOrganization, showOrganizations } from './choose.tsx'
import { goHome } from './home.ts'
import { chooseMode } from './mode.ts'
import { createOwn, showNew } from './new.tsx'

export const organizationScreens: readonly Screen[] = [
  { method: 'GET', path: '/console', show: goHome },
  { method: 'POST', path: '/console/mode', show: chooseMode },
  { level: 'signed-in', method: 'GET', path: '/console/organizations', show: showOrganizations },
  { level: 'signed-in', method: 'POST', path: '/console/organizations', show: chooseOrganization },
  { level: 'signed-in', method: 'GET', path: '/console/organizations/new', show: showNew },
  { level: 'signed-in', method: 'POST', path: '/console/organizations/new', show: createOwn },
]
