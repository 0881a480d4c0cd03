import type { Screen } from '../screen.ts'
import { showActivity } from './activity.tsx'
import { changeMember, giveAway, removeFromConsole, savePicture } from './change-member.ts'
import { inviteFromConsole, revokeFromConsole, showInvite } from './invite.tsx'
import { showTeam } from './list.tsx'
import { showMember } from './show-member.tsx'

export const teamScreens: readonly Screen[] = [
  { method: 'GET', path: '/console/team', show: showTeam },
  { method: 'GET', path: '/console/team/invite', show: showInvite },
  { method: 'POST', path: '/console/team/invite', show: inviteFromConsole },
  { method: 'POST', path: '/console/team/invitations/:id/revoke', show: revokeFromConsole },
  { method: 'GET', path: '/console/team/activity', show: showActivity },
  { method: 'GET', path: '/console/team/:id', show: showMember },
  { method: 'POST', path: '/console/team/:id', show: changeMember },
  { method: 'POST', path: '/console/team/:id/picture', takesFile: true, show: savePicture },
  { method: 'POST', path: '/console/team/:id/remove', show: removeFromConsole },
  { method: 'POST', path: '/console/team/:id/own', show: giveAway },
]
