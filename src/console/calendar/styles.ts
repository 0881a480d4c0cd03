import { tintOf } from '../../platform/colors/tint.ts'
import type { Column, Place } from './columns.ts'

/** The class of a block's place in its column. */
export function placeClass({ at, length }: Place): string {
  return `p${at}-${length}`
}

export function laneClass(lane: number, lanes: number): string {
  return lanes === 1 ? '' : ` l${lane}-${lanes}`
}

/**
 * Where things are and which color event types have: the page's policy allows no style attributes, and most blocks share
 * their place with others.
 */
export function calendarStyles(
  columns: readonly Column[],
  colors: ReadonlyMap<string, string>,
  { minutes, hours }: { readonly minutes: number; readonly hours: number },
): string {
  const rules = new Set<string>()
  const put = (place: Place) => {
    const { at, length } = place
    rules.add(
      `.${placeClass(place)}{inset-block-start:calc(${at}*var(--u));block-size:calc(${length}*var(--u))}`,
    )
  }
  for (const { blocks, bands, open } of columns) {
    for (const place of [...blocks, ...bands, ...open]) put(place)
    for (const { lane, lanes } of blocks) {
      if (lanes === 1) continue
      const [start, size] = [(lane / lanes) * 100, 100 / lanes].map((one) => one.toFixed(2))
      rules.add(`.planner li.l${lane}-${lanes}{inset-inline-start:${start}%;inline-size:${size}%}`)
    }
  }
  for (let hour = 0; hour < hours; hour++) put({ at: hour * 12, length: 12 })
  const tints = [...colors].map(([name, color]) => {
    const { light, dark } = tintOf(color)
    return `.${name}{--c:light-dark(${light.fill},${dark.fill});--w:light-dark(${light.wash},${dark.wash})}`
  })
  const unit = ((5 / minutes) * 1.65).toFixed(4)
  return `.planner{--u:${unit}rem;--hours:${hours}}${[...rules].join('')}${tints.join('')}`
}
