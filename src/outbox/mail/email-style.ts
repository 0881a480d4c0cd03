import { type Tint, tintOf } from '../../platform/look/color.ts'
import type { EmailHead } from './email-content.ts'

/** The colors of what is not the organization's own, in one mode. Cards are those of the pages. */
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
 * What mail programs with style sheets do beyond the styles of each element, which all programs know: the dark, for
 * those that ask (Apple Mail, Outlook on phones by attribute), and narrow screens.
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
