import type { Member } from '../../people/team/schema.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { eventTypeTexts } from '../../platform/i18n/console/event-types.ts'
import { nameOf } from '../hours/people.ts'
import type { MemberRequest } from '../request.ts'
import type { Trouble } from '../trouble.ts'
import { SelectField } from '../views/fields.tsx'

type Props = {
  readonly request: MemberRequest
  readonly id: string
  /** The members that can be added. */
  readonly members: readonly Member[]
  readonly trouble: Trouble
  /** The second host makes how they share the bookings matter. */
  readonly isSecond: boolean
}

/** Adds a host at once: what is typed beside it goes along and stays unsaved. */
export function AddHostFields({ request, id, members, trouble, isSecond }: Props) {
  const { locale } = request.page
  const texts = textsOf(locale, eventTypeTexts)
  return (
    <section class="panel" aria-label={texts.addHost}>
      <SelectField
        locale={locale}
        name="member_id"
        label={texts.addHost}
        value=""
        trouble={trouble}
        options={members.map((member) => ({ value: member.id, text: nameOf(member) }))}
      />
      {isSecond && <MeetsField request={request} />}
      <div class="form-end">
        <button type="submit" class="button soft-button" formaction={`/console/event-types/${id}/hosts/add`}>
          {texts.addHost}
        </button>
      </div>
    </section>
  )
}

/** How two hosts or more share the bookings, asked with the second one. */
function MeetsField({ request: { page } }: { readonly request: MemberRequest }) {
  const texts = textsOf(page.locale, eventTypeTexts)
  return (
    <fieldset class="field">
      <legend>{texts.meetsHow}</legend>
      {(['any', 'all'] as const).map((value) => (
        <label key={value} class="check">
          <input type="radio" name="meets" value={value} checked={value === 'any'} />
          <span>{value === 'any' ? texts.meetsAny : texts.meetsAll}</span>
        </label>
      ))}
    </fieldset>
  )
}
