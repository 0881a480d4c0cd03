import type { Screen } from '../screen.ts'
import { askForCode, enterCode, showCode, showSignIn } from './code.tsx'
import { answerConfirm, showConfirm } from './confirm.ts'
import { followLink, showLink } from './console-link.tsx'
import { followEmail, showEmail } from './email-link.tsx'
import { signOut } from './sign-out.tsx'

export const signInScreens: readonly Screen[] = [
  { level: 'anonymous', method: 'GET', path: '/console/sign-in', show: showSignIn },
  { level: 'anonymous', method: 'POST', path: '/console/sign-in', show: askForCode },
  { level: 'anonymous', method: 'GET', path: '/console/sign-in/code', show: showCode },
  { level: 'anonymous', method: 'POST', path: '/console/sign-in/code', show: enterCode },
  { level: 'anonymous', method: 'GET', path: '/console/sign-in/link', show: showEmail },
  { level: 'anonymous', method: 'POST', path: '/console/sign-in/link', show: followEmail },
  { level: 'anonymous', method: 'GET', path: '/console/link', show: showLink },
  { level: 'anonymous', method: 'POST', path: '/console/link', show: followLink },
  { level: 'signed-in', method: 'POST', path: '/console/sign-out', show: signOut },
  { level: 'signed-in', method: 'GET', path: '/console/confirm', show: showConfirm },
  { level: 'signed-in', method: 'POST', path: '/console/confirm', show: answerConfirm },
]
