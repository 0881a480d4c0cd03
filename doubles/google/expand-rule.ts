const day = 86_400_000
const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

/** A rule of RFC 5545, as much of it as Google's own app makes. Times are what the clock on the wall says. */
export type Rule = {
  readonly freq: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY'
  readonly interval: number
  readonly count: number | null
  /** As it is written: a date, or an instant with `Z`. */
  readonly until: string | null
  readonly byDay: readonly { nth: number; weekday: number }[]
  readonly byMonthDay: readonly number[]
  readonly byMonth: readonly number[]
  readonly bySetPos: readonly number[]
  readonly weekStart: number
}

/** Null where the rule cannot be read, or has parts that are not known here. */
export function readRule(text: string): Rule | null {
  const parts = new Map(text.split(';').map((part) => part.split('=') as [string, string]))
  const known = 'FREQ INTERVAL COUNT UNTIL BYDAY BYMONTHDAY BYMONTH BYSETPOS WKST'.split(' ')
  if ([...parts].some(([name, value]) => !known.includes(name) || !value)) return null
  const freq = parts.get('FREQ')
  if (freq !== 'DAILY' && freq !== 'WEEKLY' && freq !== 'MONTHLY' && freq !== 'YEARLY') return null
  const numbers = (name: string) => (parts.get(name)?.split(',') ?? []).map(Number)
  const byDay = (parts.get('BYDAY')?.split(',') ?? []).map((one) => ({
    nth: Number(one.slice(0, -2) || 0),
    weekday: weekdays.indexOf(one.slice(-2)),
  }))
  const rule: Rule = {
    freq,
    interval: Number(parts.get('INTERVAL') ?? 1),
    count: parts.has('COUNT') ? Number(parts.get('COUNT')) : null,
    until: parts.get('UNTIL') ?? null,
    byDay,
    byMonthDay: numbers('BYMONTHDAY'),
    byMonth: numbers('BYMONTH'),
    bySetPos: numbers('BYSETPOS'),
    weekStart: Math.max(0, weekdays.indexOf(parts.get('WKST') ?? 'MO')),
  }
  const all = [rule.interval, rule.count ?? 1, ...rule.byMonthDay, ...rule.byMonth, ...rule.bySetPos]
  const isSound = all.every(Number.isInteger) && rule.interval > 0 && (rule.count ?? 1) > 0
  const isUntil = rule.until === null || /^\d{8}(T\d{6}Z?)?$/.test(rule.until)
  return isSound && isUntil && byDay.every(({ nth, weekday }) => weekday >= 0 && Number.isInteger(nth))
    ? rule
    : null
}

/** The dates and times of a rule from its first one on, in order, without regard to COUNT and UNTIL. */
export function* expandRule(rule: Rule, start: number): Generator<number> {
  const time = start % day
  const first = start - time
  for (let period = 0; period < 40_000; period++) {
    const days = daysOf(rule, first, period * rule.interval).sort((a, b) => a - b)
    const chosen = rule.bySetPos.length
      ? rule.bySetPos.flatMap((at) => days[at > 0 ? at - 1 : days.length + at] ?? []).sort((a, b) => a - b)
      : days
    for (const one of chosen) if (one >= first) yield one + time
  }
}

function daysOf(rule: Rule, first: number, ahead: number): number[] {
  const at = new Date(first)
  const inMonth = (one: number) =>
    !rule.byMonth.length || rule.byMonth.includes(new Date(one).getUTCMonth() + 1)
  const onWeekday = (one: number) =>
    !rule.byDay.length || rule.byDay.some(({ weekday }) => weekday === new Date(one).getUTCDay())
  switch (rule.freq) {
    case 'DAILY':
      return [first + ahead * day].filter(
        (one) => inMonth(one) && onWeekday(one) && onMonthDay(rule.byMonthDay, one),
      )
    case 'WEEKLY': {
      const week = first - ((at.getUTCDay() - rule.weekStart + 7) % 7) * day + ahead * 7 * day
      const wanted = rule.byDay.length ? rule.byDay.map(({ weekday }) => weekday) : [at.getUTCDay()]
      return wanted.map((weekday) => week + ((weekday - rule.weekStart + 7) % 7) * day).filter(inMonth)
    }
    case 'MONTHLY':
      return daysOfMonth(rule, at.getUTCFullYear(), at.getUTCMonth() + ahead, at.getUTCDate()).filter(inMonth)
    case 'YEARLY': {
      const months = rule.byMonth.length ? rule.byMonth.map((month) => month - 1) : [at.getUTCMonth()]
      return months.flatMap((month) => daysOfMonth(rule, at.getUTCFullYear() + ahead, month, at.getUTCDate()))
    }
  }
}

function daysOfMonth(rule: Rule, year: number, month: number, date: number): number[] {
  const length = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const all = Array.from({ length }, (_, index) => Date.UTC(year, month, index + 1))
  if (rule.byDay.length) {
    return all.filter((one, index) =>
      rule.byDay.some(({ nth, weekday }) => {
        if (new Date(one).getUTCDay() !== weekday || !onMonthDay(rule.byMonthDay, one)) return false
        if (nth === 0) return true
        return nth > 0 ? Math.floor(index / 7) === nth - 1 : Math.floor((length - 1 - index) / 7) === -nth - 1
      }),
    )
  }
  return all.filter((one) => onMonthDay(rule.byMonthDay.length ? rule.byMonthDay : [date], one))
}

function onMonthDay(wanted: readonly number[], one: number): boolean {
  if (!wanted.length) return true
  const at = new Date(one)
  const length = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate()
  return wanted.some((date) => (date > 0 ? date : length + 1 + date) === at.getUTCDate())
}
