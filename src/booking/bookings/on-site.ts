type Meeting = { readonly conferencing_provider: string | null; readonly location: string | null }

/** Whether people go there: then the clock of the place counts. */
export function isOnSite({ conferencing_provider: provider, location }: Meeting): boolean {
  return provider === 'in_person' || (provider === null && location !== null && location !== '')
}
