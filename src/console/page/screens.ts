import type { Screen } from '../screen.ts'
import { showAddress } from './address.tsx'
import {
  resetEmailText,
  saveEmailText,
  sendEmailText,
  showEmailPreview,
  showEmailText,
} from './email-text.tsx'
import { showEmailTexts } from './email-texts.tsx'
import { showEmbed } from './embed.tsx'
import { saveAppearance, showAppearance } from './page-appearance.tsx'
import { saveDarkLogo, saveLogo } from './save-logo.ts'

export const pageScreens: readonly Screen[] = [
  { method: 'GET', path: '/console/page', show: showAppearance },
  { method: 'POST', path: '/console/page', show: saveAppearance },
  { method: 'POST', path: '/console/page/logo', takesFile: true, show: saveLogo },
  { method: 'POST', path: '/console/page/logo-dark', takesFile: true, show: saveDarkLogo },
  { method: 'GET', path: '/console/page/address', show: showAddress },
  { method: 'GET', path: '/console/page/emails', show: showEmailTexts },
  { method: 'GET', path: '/console/page/emails/:kind', show: showEmailText },
  { method: 'POST', path: '/console/page/emails/:kind', show: saveEmailText },
  { method: 'GET', path: '/console/page/emails/:kind/preview', show: showEmailPreview },
  { method: 'POST', path: '/console/page/emails/:kind/reset', show: resetEmailText },
  { method: 'POST', path: '/console/page/emails/:kind/send', show: sendEmailText },
  { method: 'GET', path: '/console/page/embed', show: showEmbed },
]
