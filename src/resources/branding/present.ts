import type { organizations } from '../../db/schema/organizations.ts'
import type { Branding } from './schema.ts'

type BrandingRow = Pick<
  typeof organizations.$inferSelect,
  'tier' | 'logoUrl' | 'logoAltText' | 'removeBranding' | 'listingPageEnabled'
>

/** What takes effect: the wish to remove our name is ignored on the free plan, and applies again on a paid one. */
export function presentBranding(row: BrandingRow): Branding {
  return {
    logo_url: row.logoUrl,
    logo_alt_text: row.logoAltText,
    remove_branding: row.removeBranding && row.tier !== 'free',
    listing_page_enabled: row.listingPageEnabled,
  }
}
