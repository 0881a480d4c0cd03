import type { organizations } from '../../platform/db/schema/organizations.ts'
import type { Branding } from './schema.ts'

type BrandingRow = Pick<
  typeof organizations.$inferSelect,
  | 'tier'
  | 'logoUrl'
  | 'logoAltText'
  | 'logoDarkUrl'
  | 'accentColor'
  | 'removeBranding'
  | 'listingPageEnabled'
  | 'imprintUrl'
  | 'privacyUrl'
>

/** The branding in effect: removing our name is ignored on the free plan, and applies again on a paid one. */
export function presentBranding(row: BrandingRow): Branding {
  return {
    logo_url: row.logoUrl,
    logo_alt_text: row.logoAltText,
    logo_dark_url: row.logoDarkUrl,
    accent_color: row.accentColor,
    remove_branding: row.removeBranding && row.tier !== 'free',
    listing_page_enabled: row.listingPageEnabled,
    imprint_url: row.imprintUrl,
    privacy_url: row.privacyUrl,
  }
}
