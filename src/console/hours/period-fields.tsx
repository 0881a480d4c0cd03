import {
  formatDate,
  instantOf,
  parseDate,
  parseTimeOfDay,
  wallTimeOf,
  zoneTable,
} from '../../core/local-time.ts'
import { DAY_MS } from '../../core/time-units.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { hoursTexts } from '../../platform/i18n/console/hours.ts'
import { fill } from '../../platform/i18n/plural.ts'
import type { Form, MemberRequest } from '../request.ts'
import type { Trouble } from '../trouble.ts'
import { fieldsFor } from '../views/fields-for.tsx'

type Period = { readonly start: string; readonly end: string }

const NAMES = ['start', 'start_time', 'end', 'end_time'] as const
const BLANK = { start: '', start_time: '', end: '', end_time: '' }

/** What the form says: dates if both times are empty, else instants in the reader's zone. */
export function periodIn({ form, zone }: Pick<MemberRequest, 'form' | 'zone'>): Period {
  const [start = '', startTime = '', last = '', endTime = ''] = NAMES.map((name) => form.get(name) ?? '')
  const end = last || start
  if (startTime === '' && endTime === '') return { start, end }
  return {
    start: instantText(zone, start, startTime, 0),
    end: instantText(zone, end, endTime, DAY_MS),
  }
}

/** An invalid date or time stays as it was typed, so that the endpoint refuses it at its field. */
function instantText(zone: string, date: string, time: string, whole: number): string {
  const midnight = parseDate(date)
  const since = time === '' ? whole : parseTimeOfDay(time)
  if (midnight === null || since === null) return `${date} ${time}`.trim()
  const wall = midnight + since
  return new Date(instantOf(zoneTable(zone, wall, wall), wall)).toISOString()
}

/** The four fields of saved time off. */
function fieldsOf({ start, end }: Period, zone: string): typeof BLANK {
  if (!start.includes('T')) return { ...BLANK, start, end }
  const [from, to] = [wallText(start, zone), wallText(end, zone)]
  return { start: from.date, start_time: from.time, end: to.date, end_time: to.time }
}

function wallText(text: string, zone: string) {
  const instant = Date.parse(text)
  const wall = wallTimeOf(zoneTable(zone, instant, instant), instant)
  const time = new Date(wall).toISOString().slice(11, 19)
  return { date: formatDate(wall), time: time.endsWith(':00') ? time.slice(0, 5) : time }
}

/** What the form showed: an hour that happens twice, or parts of a second, are not changed by saving. */
export function shownPeriod(saved: Period, zone: string): { readonly shown: string } {
  const fields = fieldsOf(saved, zone)
  return { shown: NAMES.map((name) => fields[name]).join(' ') }
}

export function isPeriodChanged(form: Form): boolean {
  return NAMES.map((name) => form.get(name) ?? '').join(' ') !== form.get('shown')
}

type Props = {
  readonly request: MemberRequest
  readonly saved: Period
  readonly trouble: Trouble
}

/** From when until when: days, and times for a part of them. */
export function PeriodFields({ request: { page, form, zone }, saved, trouble }: Props) {
  const { locale } = page
  const texts = textsOf(locale, hoursTexts)
  const typed = Object.fromEntries(NAMES.flatMap((name) => (form.has(name) ? [[name, form.get(name)!]] : [])))
  const field = fieldsFor({ locale, trouble }, { ...fieldsOf(saved, zone), ...typed })
  const time = { type: 'time', isOptional: true } as const
  return (
    <>
      <div class="pair">
        {field.text('start', texts.firstDay, { type: 'date' })}
        {field.text('start_time', texts.startTime, time)}
        {field.text('end', texts.lastDay, { type: 'date' })}
        {field.text('end_time', texts.endTime, time)}
      </div>
      <p class="hint">{fill(texts.timesHint, { zone: zone.replaceAll('_', ' ') })}</p>
    </>
  )
}
