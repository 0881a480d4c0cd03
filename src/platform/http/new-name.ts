import { invalid } from './errors.ts'
import { HAS_LINK, hasNoLink } from './typed-text.ts'

/** Names with links in them that earlier releases took stay, and come back with every form that is saved. */
export function assertNewName(known: string | null, given: string | null | undefined): void {
  if (given == null || given === known || hasNoLink(given)) return
  throw invalid({ name: HAS_LINK })
}
