import { formatDate } from '../../core/local-time.ts'
import { HiddenFields } from '../../pages/views/hidden-fields.tsx'
import { calendarViewTexts } from '../../platform/i18n/console/calendar-view.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { todayOf } from '../bookings/views.ts'
import type { MemberRequest } from '../request.ts'
import { type Option, SelectField, TextField } from '../views/fields.tsx'
import { GetForm } from '../views/get-form.tsx'
import { Tabs } from '../views/tabs.tsx'
import { addressOf, type Filter, type Shown, VIEWS } from './range.ts'

type Props = {
  readonly request: MemberRequest
  readonly shown: Shown
  /** What can be chosen in each filter; one without choices is left out. */
  readonly options: Readonly<Record<Filter, readonly Option[]>>
}

/** The view, the date and the filters, all of which are in the address. */
export function Toolbar({ request, shown, options }: Props) {
  const { locale } = request.page
  const texts = textsOf(locale, calendarViewTexts)
  const filter = (name: Filter, label: string, any: string) => {
    const own = options[name]
    if (own.length === 0) return null
    const all = [{ value: '', text: any }, ...own]
    return (
      <SelectField
        locale={locale}
        name={name}
        label={label}
        value={shown.filters[name] ?? ''}
        options={all}
      />
    )
  }
  return (
    <div class="p-toolbar">
      <div class="head-line">
        <Tabs
          label={texts.views}
          parts={VIEWS.map((view) => [addressOf({ ...shown, view }), texts[view]] as const)}
          here={addressOf(shown)}
        />
        <div class="actions">
          <a class="button soft-button" href={addressOf({ ...shown, from: shown.earlier })} rel="prev">
            ← {texts.earlier}
          </a>
          <a class="button soft-button" href={addressOf({ ...shown, from: todayOf(request) })}>
            {texts.today}
          </a>
          <a class="button soft-button" href={addressOf({ ...shown, from: shown.later })} rel="next">
            {texts.later} →
          </a>
        </div>
      </div>
      <GetForm action="/console/calendar" class="search panel" label={texts.filters} sendsOnChange>
        <HiddenFields fields={[['view', shown.view]]} />
        <TextField
          locale={locale}
          name="from"
          id="from-date"
          label={texts.date}
          type="date"
          value={formatDate(shown.from)}
        />
        {filter('member_id', texts.member, texts.everybody)}
        {filter('event_type_id', texts.eventType, texts.allTypes)}
        {filter('resource_id', texts.resource, texts.allResources)}
        <button type="submit" class="soft-button">
          {texts.show}
        </button>
      </GetForm>
    </div>
  )
}
