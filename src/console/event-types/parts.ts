import { changedFields } from '../lost-update.ts'
import type { Form } from '../request.ts'
import { type EditorTab, TABS, type TabPath } from './tabs.ts'

/** What was typed in each tab. */
export type Parts = ReadonlyMap<TabPath, Form>

/** What a form keeps of the state that it showed. */
const STATE = ['updated_at', 'was', 'hours_shown'] as const
const OTHER_TAB = /^(\/[a-z]*):(.+)$/s

/** A form holds the fields of its own tab, and hidden those of tabs that were changed before: `/hours:timezone`. */
export function partsIn(form: Form, at: TabPath): Parts {
  const entries = new Map<TabPath, [string, string][]>([[at, []]])
  for (const name of form.keys()) {
    const [, tab = null, own = name] = OTHER_TAB.exec(name) ?? []
    const path = tab === null ? at : TABS.find((one) => keyOf(one.at) === tab)?.at
    if (path === undefined) continue
    const part = entries.get(path) ?? []
    part.push(...form.all(name).map((value): [string, string] => [own, value]))
    entries.set(path, part)
  }
  return new Map([...entries].map(([path, part]) => [path, formOf(part)]))
}

/** The same part without some of its fields. */
export function without(part: Form, isLeftOut: (name: string) => boolean): Form {
  return formOf(entriesOf(part).filter(([name]) => !isLeftOut(name)))
}

/** The hidden fields of all tabs but the one that is shown. */
export function carriedFields(parts: Parts, shown: TabPath): [string, string][] {
  return [...parts].flatMap(([path, part]) =>
    path === shown
      ? []
      : [...part.keys()]
          .filter((name) => name !== 'csrf' && name !== 'at')
          .flatMap((name) =>
            part.all(name).map((value): [string, string] => [`${keyOf(path)}:${name}`, value]),
          ),
  )
}

export function isChanged(tab: EditorTab, part: Form): boolean {
  const read = { ...tab.read(part), ...tab.readHosts?.(part) }
  return Object.keys(changedFields(part, read)).length > 0 || hoursToSave(tab, part) !== null
}

/** The hours, if they are not those that the form showed. */
export function hoursToSave(tab: EditorTab, part: Form) {
  const found = tab.readHours?.(part)
  return found && JSON.stringify(found.hours) !== part.get('hours_shown') ? found : null
}

/** The state that a part was typed over. */
export function stateOf(part: Form): Record<string, string> {
  return Object.fromEntries(STATE.flatMap((name) => (part.has(name) ? [[name, part.get(name)!]] : [])))
}

/** Over a newer state: what was changed in it still is. */
export function renewed(parts: Parts, updatedAt: string, isOver = (_: Form) => true): Parts {
  const over = (part: Form) => (isOver(part) ? formOf([...entriesOf(part), ['updated_at', updatedAt]]) : part)
  return new Map([...parts].map(([path, part]) => [path, over(part)]))
}

function entriesOf(part: Form): [string, string][] {
  return [...part.keys()].flatMap((name) => part.all(name).map((value): [string, string] => [name, value]))
}

function formOf(entries: readonly (readonly [string, string])[]): Form {
  const named = Map.groupBy(entries, ([name]) => name)
  const all = (name: string) => (named.get(name) ?? []).map(([, value]) => value)
  return Object.assign(new Map(entries), { all })
}

function keyOf(at: TabPath): string {
  return at === '' ? '/' : at
}
