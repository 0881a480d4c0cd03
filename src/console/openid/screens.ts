import type { Screen } from '../screen.ts'
import { comeBack, goToEnter } from './enter.ts'
import { comeBackLinked, goToLink, removeOwnAccount } from './own-account.ts'
import { comeBackProven } from './prove.tsx'

export const openIdScreens: readonly Screen[] = [
  { level: 'anonymous', method: 'GET', path: '/console/sign-in/openid', show: goToEnter },
  { level: 'anonymous', method: 'GET', path: '/console/sign-in/openid/callback', show: comeBack },
  { level: 'signed-in', method: 'GET', path: '/console/confirm/openid', show: comeBackProven },
  { method: 'GET', path: '/console/settings/openid', show: comeBackLinked },
  { method: 'POST', path: '/console/settings/openid/link', show: goToLink },
  { method: 'POST', path: '/console/settings/openid/:id/remove', show: removeOwnAccount },
]
