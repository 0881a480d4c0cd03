import type { BrowserContextOptions } from 'playwright-core'
import { amount } from '../../support/chance.ts'

export type Way = {
  readonly isPhone: boolean
  readonly isDark: boolean
  readonly language: 'en' | 'de'
  readonly hasScript: boolean
}

const wayOf = (bits: number): Way => ({
  isPhone: (bits & 1) === 0,
  isDark: (bits & 2) > 0,
  language: bits & 4 ? 'de' : 'en',
  hasScript: (bits & 8) > 0,
})

/** Both sides of each condition. */
const OPPOSITES = [0b0000, 0b1111]
const REST = Array.from({ length: 16 }, (_, bits) => bits).filter((bits) => !OPPOSITES.includes(bits))

/** How somebody looks at the console: `npm run storms` in all sixteen ways, `npm test` in two. */
export const WAYS: readonly (readonly [name: string, way: Way])[] = [...OPPOSITES, ...REST]
  .slice(0, amount(OPPOSITES.length, 16))
  .map(wayOf)
  .map((way) => [nameOf(way), way])

function nameOf({ isPhone, isDark, language, hasScript }: Way): string {
  return [
    isPhone ? 'phone' : 'desk',
    isDark ? 'dark' : 'light',
    language,
    ...(hasScript ? [] : ['no script']),
  ].join(' ')
}

export function browserFor({ isPhone, isDark, language, hasScript }: Way): BrowserContextOptions {
  return {
    viewport: isPhone ? { width: 390, height: 844 } : { width: 1280, height: 800 },
    ...(isPhone && { isMobile: true, hasTouch: true }),
    colorScheme: isDark ? 'dark' : 'light',
    locale: language === 'de' ? 'de-DE' : 'en-US',
    javaScriptEnabled: hasScript,
  }
}
