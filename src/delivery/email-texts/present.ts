import type { EmailTextKind } from '../../platform/db/schema/email-texts.ts'
import { formatInstant } from '../../platform/http/instants.ts'
import { localeOf } from '../../platform/i18n/locale.ts'
import type { Language } from '../../platform/i18n/tags.ts'
import { defaultTextOf } from './default-text.ts'
import type { EmailTextRow } from './queries.ts'
import type { EmailText } from './schema.ts'

/** Without a row, nothing was written. */
export function presentEmailText(
  kind: EmailTextKind,
  locale: Language,
  row: Pick<EmailTextRow, 'subject' | 'intro' | 'closing' | 'updatedAt'> | undefined,
): EmailText {
  return {
    kind,
    locale,
    subject: row?.subject ?? null,
    intro: row?.intro ?? null,
    closing: row?.closing ?? null,
    default: defaultTextOf(kind, localeOf(locale)),
    updated_at: row ? formatInstant(row.updatedAt) : null,
  }
}
