import type { Screen } from '../screen.ts'
import { addOwnAddress, showOwnAddress } from './address.tsx'
import { deleteFromConsole, showDeletion, takeBackFromConsole } from './delete.tsx'
import { downloadCalendar, downloadExport } from './export.ts'
import { changeOrganization, showOrganization } from './organization.tsx'
import { downloadPerson, erasePersonFromConsole, findPerson, showPeople } from './people.tsx'
import { endOthers, endOwnSession, showSessions } from './sessions.tsx'
import { askForHelp, showSupport } from './support.tsx'
import { changeYourself, saveOwnPicture, showYourself } from './yourself.tsx'

export const settingsScreens: readonly Screen[] = [
  { method: 'GET', path: '/console/settings', show: showYourself },
  { method: 'POST', path: '/console/settings', show: changeYourself },
  { method: 'POST', path: '/console/settings/picture', takesFile: true, show: saveOwnPicture },
  { method: 'GET', path: '/console/settings/address', show: showOwnAddress },
  { method: 'POST', path: '/console/settings/address', show: addOwnAddress },
  { method: 'GET', path: '/console/settings/organization', show: showOrganization },
  { method: 'POST', path: '/console/settings/organization', show: changeOrganization },
  { method: 'POST', path: '/console/settings/export', show: downloadExport },
  { method: 'POST', path: '/console/settings/export/calendar', show: downloadCalendar },
  { method: 'GET', path: '/console/settings/delete', show: showDeletion },
  { method: 'POST', path: '/console/settings/delete', show: deleteFromConsole },
  { method: 'POST', path: '/console/settings/delete/take-back', show: takeBackFromConsole },
  { method: 'GET', path: '/console/settings/sessions', show: showSessions },
  { method: 'POST', path: '/console/settings/sessions/others/end', show: endOthers },
  { method: 'POST', path: '/console/settings/sessions/:id/end', show: endOwnSession },
  { method: 'GET', path: '/console/settings/people', show: showPeople },
  { method: 'POST', path: '/console/settings/people/find', show: findPerson },
  { method: 'POST', path: '/console/settings/people/download', show: downloadPerson },
  { method: 'POST', path: '/console/settings/people/erase', show: erasePersonFromConsole },
  { method: 'GET', path: '/console/settings/support', show: showSupport },
  { method: 'POST', path: '/console/settings/support', show: askForHelp },
]
