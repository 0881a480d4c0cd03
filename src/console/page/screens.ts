import type { Screen } from '../screen.ts'
import { showAddress } from './address.tsx'
import { showEmbed } from './embed.tsx'
import { saveAppearance, showAppearance } from './page-appearance.tsx'

export const pageScreens: readonly Screen[] = [
  { method: 'GET', path: '/console/page', show: showAppearance },
  { method: 'POST', path: '/console/page', show: saveAppearance },
  { method: 'GET', path: '/console/page/address', show: showAddress },
  { method: 'GET', path: '/console/page/embed', show: showEmbed },
]
