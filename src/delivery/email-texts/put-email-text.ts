import { organizationWide, recordActivity } from '../../outbox/activity/statements.ts'
import type { TenantCaller } from '../../platform/auth/caller.ts'
import { commitBatch, openDb } from '../../platform/db/client.ts'
import { newId } from '../../platform/db/ids.ts'
import type { EmailTextKind } from '../../platform/db/schema/email-texts.ts'
import { type Context, originOf } from '../../platform/http/context.ts'
import { languageFor } from './language-for.ts'
import { presentEmailText } from './present.ts'
import { deleteEmailTextRow, findEmailText, putEmailTextRow } from './queries.ts'
import type { EmailText, EmailTextInput } from './schema.ts'

type Which = { readonly kind: EmailTextKind; readonly locale: Parameters<typeof languageFor>[2] }

/** Replaces the texts of a kind in one language. Without any text, the default applies again. */
export async function putEmailText(
  ctx: Context<TenantCaller>,
  { kind, locale: asked }: Which,
  { subject, intro, closing }: EmailTextInput,
): Promise<EmailText> {
  const { organizationId } = ctx.caller
  const db = openDb(ctx.env, 'decide')
  const locale = await languageFor(db, organizationId, asked)
  const before = await findEmailText(db, { organizationId, kind, locale })
  if (subject === null && intro === null && closing === null) {
    await deleteEmailText(ctx, { kind, locale })
    return presentEmailText(kind, locale, undefined)
  }
  const isSame = before?.subject === subject && before.intro === intro && before.closing === closing
  if (before && isSame) return presentEmailText(kind, locale, before)
  // Both modes share the texts, so their row knows no sandbox clock.
  const id = before?.id ?? newId(organizationId)
  const row = { id, organizationId, kind, locale, subject, intro, closing, updatedAt: Date.now() }
  await commitBatch(db, [
    putEmailTextRow(db, row),
    recordActivity(db, organizationWide(ctx.caller), originOf(ctx), {
      action: 'email_text.updated',
      resourceType: 'email_text',
      resourceId: id,
      changes: { kind, locale, subject, intro, closing },
    }),
  ])
  return presentEmailText(kind, locale, row)
}

/** Brings the default back. */
export async function deleteEmailText(
  ctx: Context<TenantCaller>,
  { kind, locale: asked }: Which,
): Promise<void> {
  const { organizationId } = ctx.caller
  const db = openDb(ctx.env, 'decide')
  const locale = await languageFor(db, organizationId, asked)
  const before = await findEmailText(db, { organizationId, kind, locale })
  if (!before) return
  await commitBatch(db, [
    deleteEmailTextRow(db, before.id),
    recordActivity(db, organizationWide(ctx.caller), originOf(ctx), {
      action: 'email_text.deleted',
      resourceType: 'email_text',
      resourceId: before.id,
      changes: { kind, locale },
    }),
  ])
}
