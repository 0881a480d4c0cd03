type Meeting = { readonly conferencing_provider: string | null; readonly location: string | null }

/** The address for a map link; null when the place is a room, a number or a link. */
export function mapLink({ conferencing_provider: provider, location }: Meeting): string | null {
  if (!location || /https?:\/\//i.test(location)) return null
  const isAddress = /\p{L}{3}/u.test(location) && /\d/.test(location) && /[,\n、،]/.test(location)
  if (provider !== 'in_person' && !(provider === null && isAddress)) return null
  return `https://www.google.com/maps/search/?${new URLSearchParams({ api: '1', query: location })}`
}
