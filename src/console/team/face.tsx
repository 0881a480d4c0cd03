import type { Member } from '../../people/team/schema.ts'
import { nameOf } from '../hours/people.ts'

/** The picture of a member, else the initial of their name. It says nothing that is not beside it as text. */
export function Face({ member }: { readonly member: Member }) {
  if (member.avatar_url !== null) {
    return <img class="face" src={member.avatar_url} alt="" width={36} height={36} loading="lazy" />
  }
  return (
    <span class="face" aria-hidden="true">
      {[...nameOf(member)][0]?.toUpperCase()}
    </span>
  )
}
