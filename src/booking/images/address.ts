import { type Env, urlAt } from '../../env.ts'
import { shardOf } from '../../platform/db/ids.ts'
import { shardDigit } from '../../platform/db/shard-digit.ts'
import { EXTENSIONS, type Format } from './format.ts'

export const AT = '/media/'
const HASH_DIGITS = 64

type Named = { readonly hash: string; readonly format: Format }

/** Where everybody finds an image of the organization. */
export function addressOf(
  env: Pick<Env, 'PUBLIC_URL'>,
  organizationId: string,
  { hash, format }: Named,
): string {
  return urlAt(env, `${AT}${hash}${shardDigit(shardOf(organizationId))}.${EXTENSIONS[format]}`)
}

/** The hash of the image at an address; null if it was not uploaded. */
export function hashIn(env: Pick<Env, 'PUBLIC_URL'>, url: string | null): string | null {
  return url !== null && isUploaded(env, url) ? url.slice(urlAt(env, AT).length).slice(0, HASH_DIGITS) : null
}

/** Whether an address is of an uploaded image, which goes once something else is shown. */
export function isUploaded(env: Pick<Env, 'PUBLIC_URL'>, url: string | null): boolean {
  return url?.startsWith(urlAt(env, AT)) ?? false
}
