import type { Screen } from '../screen.ts'
import { askForCode, enterCode, showCode, showSignIn } from './code.tsx'
import { answerConfirm, showConfirm } from './confirm.ts'
import { followLink, showLink } from './console-link.tsx'
import { followLetter, showLetter } from './letter-link.tsx'
import { signOut } from './sign-out.tsx'

export const signInScreens: readonly Screen[] = [
  { level: 'door', method: 'GET', path: '/console/sign-in', show: showSignIn },
  { level: 'door', method: 'POST', path: '/console/sign-in', show: askForCode },
  { level: 'door', method: 'GET', path: '/console/sign-in/code', show: showCode },
  { level: 'door', method: 'POST', path: '/console/sign-in/code', show: enterCode },
  { level: 'door', method: 'GET', path: '/console/sign-in/link', show: showLetter },
  { level: 'door', method: 'POST', path: '/console/sign-in/link', show: followLetter },
  { level: 'door', method: 'GET', path: '/console/link', show: showLink },
  { level: 'door', method: 'POST', path: '/console/link', show: followLink },
  { level: 'hall', method: 'POST', path: '/console/sign-out', show: signOut },
  { level: 'hall', method: 'GET', path: '/console/confirm', show: showConfirm },
  { level: 'hall', method: 'POST', path: '/console/confirm', show: answerConfirm },
]
