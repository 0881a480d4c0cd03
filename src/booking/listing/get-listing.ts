import { DAY_MS } from '../../core/time-units.ts'
import { isUsedUp } from '../../engine/schedule/full-month.ts'
import { monthOf } from '../../engine/schedule/schedule.ts'
import { openDb } from '../../platform/db/client.ts'
import type { Context } from '../../platform/http/context.ts'
import { entityTag, hasCurrent, isConditional } from '../../platform/http/entity-tag.ts'
import { invalid, notFound } from '../../platform/http/errors.ts'
import { noteOrganization } from '../../platform/log/tally.ts'
import { homeOfSlug } from '../../platform/names/home-of-slug.ts'
import { problem } from '../../platform/reasons/reason.ts'
import { presentBranding } from '../branding/present.ts'
import { type Owned, ownerOf } from './get-page.ts'
import { type Cut, type CutPlaces, cutPlaces, PlaceMemory, type Places, placesOf } from './places.ts'
import { presentListed } from './present.ts'
import { selectListed, selectOwner, selectPlaces, selectSomeListed } from './queries.ts'
import type { ListingPage } from './schema.ts'

const memory = new PlaceMemory(100_000)

/** An organization with more event types is read in two round trips once: their order, then those of the page. */
const MOST_AT_ONCE = 51

type Found = Awaited<ReturnType<typeof selectSomeListed>>
type OwnerRow = Awaited<ReturnType<typeof selectOwner>>[number]
type Read = { readonly organization: OwnerRow; readonly cut: CutPlaces; readonly found: Found }

/** A listing that the caller does not have yet, with its tag; of one that the caller has, only the tag. */
export type TaggedListing =
  | { readonly tag: string; readonly isCurrent: true }
  | {
      readonly tag: string
      readonly isCurrent: false
      readonly owned: Owned<ListingPage>
      readonly cut: CutPlaces
    }

/** A page of what an organization offers. `look` is what else the answer is made of. Mostly one round trip. */
export async function getListing(
  ctx: Context,
  orgSlug: string,
  cut: Cut,
  look: unknown,
): Promise<TaggedListing> {
  const db = openDb(await homeOfSlug(ctx.env, orgSlug), 'read')
  const month = monthOf(ctx.now)
  const tagOf = (organization: OwnerRow) => {
    const { tier, bookingsThisMonth, sandboxNow: _, ...shown } = organization
    const isFull = isUsedUp(tier, bookingsThisMonth)
    // A new version of the service may write it in other words: nobody keeps it longer than a day.
    return entityTag([shown, tier, isFull, cut, look, Math.floor(ctx.now / DAY_MS)])
  }
  if (isConditional(ctx.request)) {
    const [organization] = await selectOwner(db, orgSlug, month)
    if (!organization) throw notFound('booking page')
    const tag = await tagOf(organization)
    noteOrganization(ctx.env, organization.id)
    if (hasCurrent(ctx.request, tag)) return { tag, isCurrent: true }
  }
  const { organization, cut: own, found } = await readListing(db, orgSlug, cut, month)
  noteOrganization(ctx.env, organization.id)
  const tag = await tagOf(organization)
  const owner = ownerOf({ organization, offers: found }, true)
  const branding = presentBranding(organization)
  const rows = new Map(found.map(({ eventType }) => [eventType.id, eventType]))
  const listed = own.ids.flatMap((id) => rows.get(id) ?? [])
  const isFull = isUsedUp(organization.tier, organization.bookingsThisMonth)
  const page: ListingPage =
    organization.suspendedAt !== null
      ? { available: false, branding }
      : {
          available: true,
          org_name: organization.name,
          org_slug: organization.slug,
          event_types: listed.map(presentListed),
          has_more: own.page < own.pages,
          branding,
          ...(isFull && { plan_limit: true as const }),
        }
  return { tag, isCurrent: false, owned: { ...owner, page }, cut: own }
}

type Db = ReturnType<typeof openDb>

async function readListing(db: Db, orgSlug: string, cut: Cut, month: string): Promise<Read> {
  const known = memory.find(orgSlug)
  if (known) {
    const own = cutPlaces(known.places, cut)
    const [[organization], found] = await db.batch([
      selectOwner(db, orgSlug, month),
      selectListed(db, orgSlug, own?.ids ?? []),
    ])
    if (organization && versionOf(organization) === known.version) {
      return { organization, cut: assertCut(own), found }
    }
  }
  const [[organization], listed, some] = await db.batch([
    selectOwner(db, orgSlug, month),
    selectPlaces(db, orgSlug),
    selectSomeListed(db, orgSlug, MOST_AT_ONCE),
  ])
  if (!organization) throw notFound('booking page')
  const places: Places = placesOf(listed, organization.locale)
  memory.keep(orgSlug, { version: versionOf(organization), places })
  const own = assertCut(cutPlaces(places, cut))
  const found = listed.length <= some.length ? some : await selectListed(db, orgSlug, own.ids)
  return { organization, cut: own, found }
}

/** What decides about the order. */
function versionOf({ id, listingVersion, locale }: OwnerRow): string {
  return `${id} ${listingVersion} ${locale}`
}

function assertCut(cut: CutPlaces | null): CutPlaces {
  if (cut === null) throw invalid({ starting_after: problem('not_in_list') })
  return cut
}
