import { hostRoutes } from '../../booking/hosts/routes.ts'
import { bookingChangeTexts } from '../../platform/i18n/console/booking-changes.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { ask } from '../ask.ts'
import { loadMembers, nameOf } from '../hours/people.ts'
import type { MemberRequest } from '../request.ts'
import { type Option, SelectField } from '../views/fields.tsx'

/** The hosts to choose from. */
export async function loadHosts(request: MemberRequest, id: string): Promise<readonly Option[]> {
  const [asked, members] = await Promise.all([
    ask(request, hostRoutes.listHosts, { params: { id } }),
    loadMembers(request),
  ])
  if (!asked.ok) return []
  return asked.body.data.map(({ member_id: value, member_email: email }) => {
    const member = members.find((one) => one.id === value)
    return { value, text: member ? nameOf(member) : email }
  })
}

type Props = {
  readonly request: MemberRequest
  readonly name: string
  /** Null is any of them. */
  readonly value: string | null
  readonly hosts: readonly Option[]
}

/** Which host; nothing if there is no choice. */
export function HostField({ request: { page }, name, value, hosts }: Props) {
  if (hosts.length < 2) return null
  const texts = textsOf(page.locale, bookingChangeTexts)
  return (
    <SelectField
      locale={page.locale}
      name={name}
      label={texts.withHost}
      value={value ?? ''}
      options={[{ value: '', text: texts.anyHost }, ...hosts]}
    />
  )
}
