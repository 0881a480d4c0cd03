import { organizationWide, recordActivity } from '../../outbox/activity/statements.ts'
import type { TenantCaller } from '../../platform/auth/caller.ts'
import { commitBatch, openDb } from '../../platform/db/client.ts'
import { changedOnly } from '../../platform/http/changed-only.ts'
import { type Context, originOf } from '../../platform/http/context.ts'
import { definedOnly } from '../../platform/http/defined-only.ts'
import { invalid, refuse } from '../../platform/http/errors.ts'
import { refusePublicUrl } from '../../platform/http/public-url.ts'
import { isUploaded } from '../images/address.ts'
import { sweepBucket } from '../images/keep-image.ts'
import { deleteImageRow } from '../images/statements.ts'
import { presentBranding } from './present.ts'
import { getBrandingOfOrg, updateBrandingOfOrg } from './queries.ts'
import type { Branding, UpdateBrandingInput } from './schema.ts'

const URLS = ['logo_url', 'logo_dark_url', 'imprint_url', 'privacy_url'] as const
const LOGOS = [
  ['logo', 'logoUrl'],
  ['logo-dark', 'logoDarkUrl'],
] as const

export async function updateBranding(
  ctx: Context<TenantCaller>,
  input: UpdateBrandingInput,
): Promise<Branding> {
  const { organizationId } = ctx.caller
  const db = openDb(ctx.env, 'decide')
  const before = await getBrandingOfOrg(db, organizationId)

  const wrong = URLS.flatMap((name) => {
    const url = input[name]
    const refusal = url == null ? null : refusePublicUrl(url, ctx.env.ALLOW_PRIVATE_HOSTS === 'true')
    return refusal === null ? [] : [[name, refusal]]
  })
  if (wrong.length > 0) throw invalid(Object.fromEntries(wrong))
  if (input.remove_branding && before.tier === 'free') {
    throw refuse('branding_needs_plan')
  }
  const wanted = definedOnly({
    logoUrl: input.logo_url,
    logoAltText: input.logo_alt_text,
    logoDarkUrl: input.logo_dark_url,
    accentColor: input.accent_color,
    removeBranding: input.remove_branding,
    listingPageEnabled: input.listing_page_enabled,
    imprintUrl: input.imprint_url,
    privacyUrl: input.privacy_url,
  })
  const changes = changedOnly(before, wanted)
  const branding = presentBranding({ ...before, ...changes })
  if (Object.keys(changes).length === 0) return branding

  const dropped = LOGOS.filter(
    ([, column]) => changes[column] !== undefined && isUploaded(ctx.env, before[column]),
  ).map(([use, column]) => ({ organizationId, use, url: before[column] }))
  await commitBatch(db, [
    ...dropped.map((use) => deleteImageRow(db, use)),
    // Both modes share the organization, so its row knows no sandbox clock.
    updateBrandingOfOrg(db, organizationId, changes, Date.now()),
    recordActivity(db, organizationWide(ctx.caller), originOf(ctx), {
      action: 'branding.updated',
      resourceType: 'branding',
      resourceId: organizationId,
      changes: { ...input },
    }),
  ])
  await Promise.all(dropped.map((one) => sweepBucket(ctx.env, one, one.url)))
  return branding
}
