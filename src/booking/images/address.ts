import { type Env, urlAt } from '../../env.ts'
import { shardOf } from '../../platform/db/ids.ts'
import { shardDigit } from '../../platform/db/shard-digit.ts'
import { EXTENSIONS, type Format } from './format.ts'

export const AT = '/media/'

type Named = { readonly hash: string; readonly format: Format }

/** Where everybody finds an image of the organization. */
export function addressOf(
  env: Pick<Env, 'PUBLIC_URL'>,
  organizationId: string,
  { hash, format }: Named,
): string {
  return urlAt(env, `${AT}${hash}${shardDigit(shardOf(organizationId))}.${EXTENSIONS[format]}`)
}

/** Whether an address is of an uploaded image, which goes once something else is shown. */
export function isUploaded(env: Pick<Env, 'PUBLIC_URL'>, url: string | null): boolean {
  return url?.startsWith(urlAt(env, AT)) ?? false
}
