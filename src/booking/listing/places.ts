type Placed = {
  readonly id: string
  readonly title: string
  readonly position: number
  readonly groupName: string | null
}

/** The order of a listing: by position, and by group as pages show it. */
export type Places = { readonly byPosition: readonly string[]; readonly byGroup: readonly string[] }

/** A page of it: by its number, or after an event type. */
export type Cut =
  | { readonly page: number; readonly limit: number }
  | { readonly after: string | undefined; readonly limit: number }

export type CutPlaces = { readonly ids: readonly string[]; readonly page: number; readonly pages: number }

/** Sorted by the rules of the page's language: the database would sort every small letter after `Z`. */
export function placesOf(listed: readonly Placed[], locale: string): Places {
  const { compare } = new Intl.Collator(locale)
  const sorted = listed.toSorted((a, b) => a.position - b.position || compare(a.title, b.title))
  // Those without a heading come first, whatever their place, so that none seems to belong to a heading above.
  const groups = [...Map.groupBy(sorted, ({ groupName }) => groupName)]
  const grouped = groups.toSorted(([a], [b]) => Number(a !== null) - Number(b !== null))
  return {
    byPosition: sorted.map(({ id }) => id),
    byGroup: grouped.flatMap(([, own]) => own.map(({ id }) => id)),
  }
}

/** The ids of a page, in its order; null if there is no event type to begin after. The last page is the last. */
export function cutPlaces({ byPosition, byGroup }: Places, cut: Cut): CutPlaces | null {
  const pages = Math.max(1, Math.ceil(byPosition.length / cut.limit))
  if ('page' in cut) {
    const page = Math.min(cut.page, pages)
    return { ids: byGroup.slice((page - 1) * cut.limit, page * cut.limit), page, pages }
  }
  const from = cut.after === undefined ? 0 : byPosition.indexOf(cut.after) + 1
  if (cut.after !== undefined && from === 0) return null
  const left = byPosition.length - from
  return { ids: byPosition.slice(from, from + cut.limit), page: 1, pages: Math.ceil(left / cut.limit) }
}

type Known = { readonly version: string; readonly places: Places }

/** The orders that this isolate knows. The least recently used ones are dropped first. */
export class PlaceMemory {
  readonly #most: number
  readonly #known = new Map<string, Known>()
  #places = 0

  /** It knows the places of so many event types. */
  constructor(most: number) {
    this.#most = most
  }

  find(slug: string): Known | null {
    return this.#known.get(slug) ?? null
  }

  keep(slug: string, known: Known): void {
    this.#drop(slug)
    this.#known.set(slug, known)
    this.#places += known.places.byPosition.length
    for (const oldest of this.#known.keys()) {
      if (this.#places <= this.#most) break
      this.#drop(oldest)
    }
  }

  #drop(slug: string): void {
    this.#places -= this.#known.get(slug)?.places.byPosition.length ?? 0
    this.#known.delete(slug)
  }
}
