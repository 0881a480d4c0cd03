import type { BrowserContextOptions } from 'playwright-core'
import { amount } from '../../support/chance.ts'

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

/** Both languages and schemes, at a desk and on a phone. */
export const LOOKS = [
  ['light', {}],
  ['dark', { colorScheme: 'dark' }],
  ['phone', { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }],
  ['de', { locale: 'de-DE' }],
  ['phone dark', { ...PHONE, colorScheme: 'dark' }],
  ['de dark', { locale: 'de-DE', colorScheme: 'dark' }],
  ['de phone', { ...PHONE, locale: 'de-DE' }],
  ['de phone dark', { ...PHONE, locale: 'de-DE', colorScheme: 'dark' }],
] as const satisfies readonly (readonly [string, BrowserContextOptions])[]

/** `npm run storms` looks at each of them in each way, `npm test` at an eighth in each, so that each is seen once. */
export function seenIn<T>(look: string, screens: readonly T[]): readonly T[] {
  const ways = amount(LOOKS.length, 1)
  const turn = LOOKS.findIndex(([name]) => name === look) % ways
  return screens.filter((_, index) => index % ways === turn)
}
