import { type Tint, tintOf } from '../../platform/colors/tint.ts'
import type { EmailHead } from './email-content.ts'

/** The neutral colors of one mode, the same as those of the pages. */
type Mode = {
  readonly ground: string
  readonly card: string
  readonly edge: string
  readonly ink: string
  readonly soft: string
}

export const LIGHT: Mode = {
  ground: '#f1f3f6',
  card: '#ffffff',
  edge: '#dfe3ea',
  ink: '#111827',
  soft: '#4b5563',
}

const DARK: Mode = { ground: '#14171c', card: '#20242b', edge: '#3a414d', ink: '#f3f4f6', soft: '#b4bcc8' }

export const FONT =
  "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,'Helvetica Neue',Arial,'Noto Sans',sans-serif"

const DEFAULT_COLOR = '#3b82f6'

export function tintOfEmail({ sender, color }: EmailHead): Tint {
  return tintOf(sender.accentColor ?? color ?? DEFAULT_COLOR)
}

/**
 * For mail programs that support style sheets: dark mode (Apple Mail; Outlook on phones by attribute) and narrow
 * screens. All other programs use the style of each element.
 */
export function emailStyles({ dark }: Tint): string {
  const colors = (prefix: string) =>
    [
      `${prefix}.ground{background-color:${DARK.ground}!important}`,
      `${prefix}.card{background-color:${DARK.card}!important;border-color:${DARK.edge}!important}`,
      `${prefix}.ink{color:${DARK.ink}!important}`,
      `${prefix}.soft{color:${DARK.soft}!important}`,
      `${prefix}.edge{border-color:${DARK.edge}!important}`,
      `${prefix}.link{color:${dark.text}!important}`,
      `${prefix}.band{background-color:${dark.fill}!important}`,
      `${prefix}.fill{background-color:${dark.fill}!important;color:${dark.onFill}!important}`,
    ].join('')
  return `:root{color-scheme:light dark;supported-color-schemes:light dark}
a[x-apple-data-detectors]{color:inherit!important;text-decoration:none!important}
@media(prefers-color-scheme:dark){${colors('')}.day{display:none!important}.night{display:block!important;max-height:none!important;overflow:visible!important}.plate{background-color:#ffffff!important;padding:8px 12px!important}}
${colors('[data-ogsc] ')}
@media(max-width:599px){.wide{padding:24px 20px!important}.page{padding:16px 8px 32px!important}.button{display:block!important;text-align:center!important}.fit{width:100%!important}}`
}
