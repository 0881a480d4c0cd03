type Row = { readonly text: string; readonly name: string; readonly expected: readonly number[] | null }

/**
 * Rule tables as libical's tests have them: a rule, a start and the expected times, each in a line of its own, between empty
 * lines. Other texts have no rows.
 */
export function tablesIn(text: string): Row[] {
  return text.split(/\r?\n\s*\r?\n/).flatMap((block, at) => {
    const lines = block.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'))
    const partOf = (name: string) => lines.find((line) => line.startsWith(`${name}:`))?.slice(name.length + 1)
    const [rule, start, expected] = ['RRULE', 'DTSTART', 'INSTANCES'].map(partOf)
    if (rule === undefined || start === undefined) return []
    const isDate = /^\d{8}$/.test(start)
    const event = [
      'BEGIN:VEVENT',
      `UID:row-${at}`,
      `DTSTART${isDate ? ';VALUE=DATE' : ''}:${start}`,
      `RRULE:${rule}`,
      'END:VEVENT',
    ]
    return [
      {
        text: ['BEGIN:VCALENDAR', 'VERSION:2.0', ...event, 'END:VCALENDAR', ''].join('\r\n'),
        name: `#${at}`,
        expected:
          expected === undefined || /[^\dTZ,]/.test(expected) ? null : withinTwoYears(expected, start),
      },
    ]
  })
}

function withinTwoYears(list: string, start: string): number[] {
  const secondsOf = (value: string) => {
    const [, year, month, day, hour = '0', minute = '0', second = '0'] =
      /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d))?/.exec(value)!
    return Date.UTC(+year!, +month! - 1, +day!, +hour, +minute, +second) / 1000
  }
  const end = secondsOf(start) + 731 * 86_400
  return list
    .split(',')
    .filter(Boolean)
    .map(secondsOf)
    .filter((each) => each < end)
}
