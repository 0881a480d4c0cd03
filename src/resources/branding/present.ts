import type { organizations } from '../../db/schema/organizations.ts'
import type { Branding } from './schema.ts'

type BrandingRow = Pick<
  typeof organizations.$inferSelect,
  'logoUrl' | 'logoAltText' | 'removeBranding' | 'listingPageEnabled'
>

export function presentBranding(row: BrandingRow): Branding {
  return {
    logo_url: row.logoUrl,
    logo_alt_text: row.logoAltText,
    remove_branding: row.removeBranding,
    listing_page_enabled: row.listingPageEnabled,
  }
}
