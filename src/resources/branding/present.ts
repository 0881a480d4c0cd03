import type { organizations } from '../../db/schema/organizations.ts'
import type { Branding } from './schema.ts'

type BrandingRow = Pick<
  typeof organizations.$inferSelect,
  'tier' | 'logoUrl' | 'logoAltText' | 'removeBranding' | 'listingPageEnabled'
>

/** What is in force: the wish to remove our name rests while the plan is free, and holds again on a paid one. */
export function presentBranding(row: BrandingRow): Branding {
  return {
    logo_url: row.logoUrl,
    logo_alt_text: row.logoAltText,
    remove_branding: row.removeBranding && row.tier !== 'free',
    listing_page_enabled: row.listingPageEnabled,
  }
}
