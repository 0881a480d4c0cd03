import { getListing, type TaggedListing } from '../booking/listing/get-listing.ts'
import { ListingParams } from '../booking/listing/schema.ts'
import { fresh, linkTo } from './links.ts'
import type { Page, Params } from './page.ts'

/** How many event types a page of a listing shows. */
const A_PAGE = 50
/** More pages than any organization fills. */
const MOST_PAGES = 1_000

/** The listing of an organization, a page at a time. The tag covers all that the answer is made of. */
export function openListing(page: Page, { org }: Params, form: 'html' | 'markdown'): Promise<TaggedListing> {
  const { orgSlug } = ListingParams.parse({ orgSlug: org })
  const { url, locale, zone, isEmbedded, theme, color, assetVersion } = page
  const { language, clock = null } = locale
  const look = [form, url.search, language, clock, zone, isEmbedded, theme, color, assetVersion]
  return getListing(page.ctx, orgSlug, { page: numberIn(url), limit: A_PAGE }, look)
}

function numberIn({ searchParams }: URL): number {
  const number = Number(searchParams.get('page'))
  return Number.isInteger(number) && number >= 1 && number <= MOST_PAGES ? number : 1
}

/** The address of another page of the listing; null if there is none. */
export function listingAt({ url }: Page, number: number, pages: number): string | null {
  if (number < 1 || number > pages) return null
  return linkTo(url, { ...fresh(), page: number === 1 ? null : String(number) })
}
