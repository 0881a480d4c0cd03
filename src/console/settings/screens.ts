import type { Screen } from '../screen.ts'
import { changeOrganization, showOrganization } from './organization.tsx'
import { endOthers, endOwnSession, showSessions } from './sessions.tsx'
import { changeYourself, showYourself } from './yourself.tsx'

export const settingsScreens: readonly Screen[] = [
  { method: 'GET', path: '/console/settings', show: showYourself },
  { method: 'POST', path: '/console/settings', show: changeYourself },
  { method: 'GET', path: '/console/settings/organization', show: showOrganization },
  { method: 'POST', path: '/console/settings/organization', show: changeOrganization },
  { method: 'GET', path: '/console/settings/sessions', show: showSessions },
  { method: 'POST', path: '/console/settings/sessions/others/end', show: endOthers },
  { method: 'POST', path: '/console/settings/sessions/:id/end', show: endOwnSession },
]
