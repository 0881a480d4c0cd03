type Meeting = { readonly conferencing_provider: string | null; readonly location: string | null }

/** Whether people meet at a place, whose clock then counts. */
export function isOnSite({ conferencing_provider: provider, location }: Meeting): boolean {
  return provider === 'in_person' || (provider === null && location !== null && location !== '')
}
