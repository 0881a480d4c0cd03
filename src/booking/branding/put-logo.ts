import { organizationWide, recordActivity } from '../../outbox/activity/statements.ts'
import type { TenantCaller } from '../../platform/auth/caller.ts'
import { commitBatch, openDb } from '../../platform/db/client.ts'
import type { ImageRow } from '../../platform/db/schema/images.ts'
import { type Context, originOf } from '../../platform/http/context.ts'
import { addressOf } from '../images/address.ts'
import { keepImage, sweepBucket } from '../images/keep-image.ts'
import { readImage, type SentImage } from '../images/read-image.ts'
import { deleteImageRow, putImageRow } from '../images/statements.ts'
import { presentBranding } from './present.ts'
import { getBrandingOfOrg, showLogo } from './queries.ts'
import type { Branding } from './schema.ts'

const LOGOS = {
  logo: { column: 'logoUrl', field: 'logo_url' },
  'logo-dark': { column: 'logoDarkUrl', field: 'logo_dark_url' },
} as const

export type Logo = keyof typeof LOGOS

/** Shows the image that was sent as the logo. */
export async function putLogo(ctx: Context<TenantCaller>, logo: Logo): Promise<Branding> {
  const image = await readImage(ctx.env, ctx.request)
  const { organizationId } = ctx.caller
  return show(ctx, logo, await keepImage(ctx.env, { organizationId, use: logo }, image, Date.now()), image)
}

/** Shows no logo any more. */
export async function deleteLogo(ctx: Context<TenantCaller>, logo: Logo): Promise<void> {
  await show(ctx, logo, null, null)
}

async function show(
  ctx: Context<TenantCaller>,
  logo: Logo,
  row: ImageRow | null,
  sent: SentImage | null,
): Promise<Branding> {
  const { organizationId } = ctx.caller
  const { column, field } = LOGOS[logo]
  const use = { organizationId, use: logo }
  const url = row && addressOf(ctx.env, organizationId, row)
  const db = openDb(ctx.env, 'decide')
  const before = await getBrandingOfOrg(db, organizationId)
  const changes = before[column] === url ? null : { [column]: url }
  await commitBatch(db, [
    row ? putImageRow(db, row) : deleteImageRow(db, use),
    // Also if it was shown before, because another upload may have ended since. Both modes share the organization, so its row knows
    // no sandbox clock.
    showLogo(db, organizationId, column, url, Date.now()),
    ...(changes
      ? [
          recordActivity(db, organizationWide(ctx.caller), originOf(ctx), {
            action: 'branding.updated',
            resourceType: 'branding',
            resourceId: organizationId,
            changes: { [field]: url },
          }),
        ]
      : []),
  ])
  await sweepBucket(ctx.env, use, before[column], sent)
  return presentBranding({ ...before, ...changes })
}
