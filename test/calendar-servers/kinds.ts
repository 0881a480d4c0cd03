import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readEvents } from '../../src/platform/icalendar/read-events.ts'
import { StepBudget } from '../../src/platform/icalendar/step-budget.ts'
import { type Account, NOTHING } from './account.ts'
import type { Server } from './servers.ts'

const FIXTURES = join(import.meta.dirname, '../platform/icalendar/fixtures')
/** What is not valid is for a server to refuse or to repair; what never ends keeps one busy that follows a rule to its end. */
const LEFT_OUT =
  /bad|broken|empty|blanks|undefined|cut-off|does-not-end|fraction|without-a-value|never-happens|beyond-all-time|every-|endless/
const TWO_YEARS = { start: Date.UTC(2026, 0), end: Date.UTC(2028, 0) }

/**
 * The files of the tests of reading, each as an event of its own. What a server takes must block as it does in what the server
 * stores, by the first listing and by a sync; what the server changes or does not list is counted.
 */
export async function checkKinds(_: Server, account: Account): Promise<string> {
  const kinds = readdirSync(FIXTURES)
    .filter((name) => name.endsWith('.ics') && !LEFT_OUT.test(name))
    .map((name, at) => kindOf(readFileSync(join(FIXTURES, name), 'utf8'), name, `kind-${at}`))
    .filter((kind) => kind !== null)
  const url = await account.newCalendar()
  const empty = await account.open(url).listChanges(TWO_YEARS, NOTHING)
  const taken = new Map<string, (typeof kinds)[number]>()
  for (const kind of kinds) {
    const { status } = await account.dav('PUT', `${url}${kind.uid}.ics`, kind.text)
    if (status >= 200 && status < 300) taken.set(kind.uid, kind)
  }
  const first = await account.open(url).listChanges(TWO_YEARS, NOTHING)
  const synced = await account.open(url).listChanges(TWO_YEARS, { ...NOTHING, cursor: empty.cursor })
  const [wrong, changed, unlisted] = [new Set<string>(), new Set<string>(), new Set<string>()]
  for (const [uid, { name, busy }] of taken) {
    const stored = kindOf((await account.dav('GET', `${url}${uid}.ics`)).text, name, uid)
    const isAs = (meant: unknown, found: unknown) => JSON.stringify(meant) === JSON.stringify(found)
    if (!isAs(stored?.busy, busy)) changed.add(name)
    const [listed, reported] = [first, synced].map((told) => told.changed.find((event) => event.uid === uid))
    for (const found of [listed, reported]) {
      if (found === undefined && busy.length > 0) unlisted.add(name)
      else if (!isAs(stored?.busy, found?.busy ?? [])) wrong.add(name)
    }
  }
  for (const [what, names] of Object.entries({ changed, unlisted }))
    if (names.size > 0) console.log(what, [...names])
  assert.deepEqual([...wrong], [])
  const others = [
    ...(changed.size > 0 ? [`${changed.size} changed by it`] : []),
    ...(unlisted.size > 0 ? [`${unlisted.size} not listed by it`] : []),
  ]
  return [`${taken.size} of ${kinds.length}`, ...others].join(', ')
}

/** Null where the file has several events, or one that cannot be read: those are not for a server. */
function kindOf(text: string, name: string, uid: string) {
  const uids = new Set([...text.matchAll(/^UID:(.*?)\r?$/gm)].map(([, value]) => value))
  if (uids.size !== 1) return null
  const own = text.replace(/^UID:.*?(\r?)$/gm, `UID:${uid}$1`)
  const calendar = { window: TWO_YEARS, timeZone: 'Europe/Berlin', ownerAddresses: [] }
  const { events, isCut } = readEvents(own, { ...calendar, budget: new StepBudget() })
  return isCut || events.length !== 1 ? null : { name, uid, text: own, busy: events[0]!.busy }
}
