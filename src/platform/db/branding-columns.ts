import { organizations } from './schema/organizations.ts'

/** How the pages of an organization look, with the plan that allows it. */
export const BRANDING_COLUMNS = {
  tier: organizations.tier,
  logoUrl: organizations.logoUrl,
  logoAltText: organizations.logoAltText,
  logoDarkUrl: organizations.logoDarkUrl,
  accentColor: organizations.accentColor,
  removeBranding: organizations.removeBranding,
  listingPageEnabled: organizations.listingPageEnabled,
  imprintUrl: organizations.imprintUrl,
  privacyUrl: organizations.privacyUrl,
}
