type Meeting = {
  readonly conferencing_provider: string | null
  readonly location: string | null
  /** Left out if there are no places to choose from. */
  readonly place?: { readonly kind: string } | null | undefined
}

/** Whether people meet at a place, whose clock then counts. */
export function isOnSite({ conferencing_provider: provider, location, place }: Meeting): boolean {
  if (place) return place.kind === 'in_person'
  return provider === 'in_person' || (provider === null && location !== null && location !== '')
}
