import type { Screen } from '../screen.ts'
import { showAddress } from './address.tsx'
import { showEmbed } from './embed.tsx'
import { saveLook, showLook } from './look.tsx'

export const pageScreens: readonly Screen[] = [
  { method: 'GET', path: '/console/page', show: showLook },
  { method: 'POST', path: '/console/page', show: saveLook },
  { method: 'GET', path: '/console/page/address', show: showAddress },
  { method: 'GET', path: '/console/page/embed', show: showEmbed },
]
