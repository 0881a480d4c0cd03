import { MOST_REQUIRED } from '../../booking/event-types/input-schema.ts'
import type { EventType } from '../../booking/event-types/schema.ts'
import type { Resource } from '../../booking/resources/schema.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { roomTexts } from '../../platform/i18n/console/rooms.ts'
import type { Locale } from '../../platform/i18n/locale.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { numberIn } from '../form.ts'
import { shownIn, shownState } from '../lost-update.ts'
import type { Form as SentForm } from '../request.ts'
import { loadRooms } from '../rooms/list.tsx'
import type { Trouble } from '../trouble.ts'
import { CheckField } from '../views/fields.tsx'
import { NumberField } from './number-field.tsx'
import type { AskedTab, EditorTab, OpenTab } from './tabs.ts'

type Required = EventType['requires'][number]

/** A requirement as it was typed. */
type Row = { readonly resource_ids: readonly string[]; readonly count: number | string | null }

/** Which rooms and equipment it takes. */
export const requiresTab: EditorTab = {
  at: '/rooms',
  open,
  read: (form) => ({ requires: rowsIn(form, (shownIn(form).requires ?? []) as readonly Required[]) }),
}

/** The rows of the form; one of nothing is removed. What was chosen before keeps its order, which decides what is taken. */
function rowsIn(form: SentForm, before: readonly Required[]): Row[] {
  const rows: Row[] = []
  for (let at = 0; form.has(`count${at}`); at++) {
    const chosen = form.all(`of${at}`)
    const known = before[at]?.resource_ids.filter((id) => chosen.includes(id)) ?? []
    const others = chosen.filter((id) => !known.includes(id))
    const ids = [...known, ...others]
    if (ids.length > 0) rows.push({ resource_ids: ids, count: numberIn(form, `count${at}`) ?? 1 })
  }
  return rows
}

async function open({ request, eventType: loading, typed, trouble }: AskedTab): Promise<OpenTab> {
  const { locale } = request.page
  const texts = textsOf(locale, roomTexts)
  const [eventType, rooms] = await Promise.all([loading, loadRooms(request)])
  const rows: readonly Row[] = (typed?.value.requires as readonly Row[] | undefined) ?? eventType.requires
  const shown = rows.length < MOST_REQUIRED ? [...rows, BLANK] : rows
  const fields = (
    <fieldset class="panel" id="requires">
      <legend>{texts.required}</legend>
      <p class="soft">{texts.requiredText}</p>
      {trouble.fields?.requires && <p class="error">{trouble.fields.requires}</p>}
      {rooms.length === 0 && rows.length === 0 ? (
        <p class="empty">
          <a href="/console/rooms">{texts.noRooms}</a>
        </p>
      ) : (
        shown.map((row, at) => (
          <RowFields key={at} locale={locale} row={row} at={at} rooms={rooms} trouble={trouble} />
        ))
      )}
    </fieldset>
  )
  return { fields, shown: shownState(eventType, ['requires']) }
}

const BLANK: Row = { resource_ids: [], count: 1 }

type RowProps = {
  readonly locale: Locale
  readonly row: Row
  readonly at: number
  readonly rooms: readonly Resource[]
  readonly trouble: Trouble
}

function RowFields({ locale, row, at, rooms, trouble }: RowProps) {
  const texts = textsOf(locale, roomTexts)
  const told = Object.entries(trouble.fields ?? {}).find(([name]) => name.startsWith(`requires.${at}.`))
  const fieldset = (
    <fieldset class="panel" id={`requires.${at}`}>
      <legend>{fill(texts.requirement, { n: at + 1 })}</legend>
      {told && <p class="error">{told[1]}</p>}
      <NumberField locale={locale} name={`count${at}`} label={texts.count} value={row.count} size="short" />
      <p>{texts.anyOf}</p>
      {rooms.map(({ id, name }) => (
        <CheckField
          key={id}
          locale={locale}
          id={`of${at}-${id}`}
          name={`of${at}`}
          value={id}
          label={name}
          isChecked={row.resource_ids.includes(id)}
        />
      ))}
    </fieldset>
  )
  if (row !== BLANK) return fieldset
  return (
    <details class="folded" open={at === 0}>
      <summary>{texts.addRequirement}</summary>
      <p class="soft">{texts.requirementHint}</p>
      {fieldset}
    </details>
  )
}
