import type { Db } from '../../platform/db/client.ts'
import { type Language, languageOf } from '../../platform/i18n/tags.ts'
import { findLocale } from './queries.ts'

/** The language that a call names, or the organization's. */
export async function languageFor(
  db: Db,
  organizationId: string,
  asked: Language | undefined,
): Promise<Language> {
  return asked ?? languageOf(await findLocale(db, organizationId)) ?? 'en'
}
