import type { ShownHost } from '../../booking/shown-hosts/statements.ts'
import type { Page } from '../page.ts'

/** So many are named; that there are more shows in an ellipsis. */
const MOST_NAMED = 4

type Props = { readonly page: Page; readonly hosts: readonly ShownHost[] }

/** The hosts of a meeting: names, behind the pictures of those who have one. */
export function Hosts({ page, hosts }: Props) {
  const named = hosts.slice(0, MOST_NAMED)
  const pictures = named.flatMap(({ avatarUrl }) => (avatarUrl === null ? [] : [avatarUrl]))
  return (
    <>
      {pictures.length > 0 && (
        <span class="faces">
          {pictures.map((url) => (
            <img key={url} src={url} alt="" width={28} height={28} />
          ))}
        </span>
      )}
      <HostNames page={page} hosts={hosts} />
    </>
  )
}

/** The names alone, each in the direction of its own script. */
export function HostNames({ page, hosts }: Props) {
  const { comma } = page.locale.texts
  return (
    <span>
      {hosts.slice(0, MOST_NAMED).map(({ name }, at) => (
        <span key={at}>
          {at > 0 && comma}
          <bdi>{name}</bdi>
        </span>
      ))}
      {hosts.length > MOST_NAMED && ' …'}
    </span>
  )
}
