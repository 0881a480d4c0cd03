import type { Language } from '../../../platform/i18n/tags.ts'

/** What an organization wrote for one kind of email in one language; null where the default applies. */
export type OwnText = {
  readonly subject: string | null
  readonly intro: string | null
  readonly closing: string | null
}

export type OwnTexts = { readonly [L in Language]?: OwnText }
