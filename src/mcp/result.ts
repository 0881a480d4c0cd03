import type { Result } from '@modelcontextprotocol/sdk/types.js'
import { withLocalTimes } from './local-times.ts'
import { bytesOf, type Room } from './size.ts'
import type { Args, Outcome, Tool } from './tools/tool.ts'
import { type Cut, isUntrusted, shortened, untrustedIn } from './untrusted.ts'

/** What is said of a call beside what its tool answers. */
export type Beside = {
  readonly isDry: boolean
  /** Why something that was sent had no effect; empty where all had. */
  readonly hint: string
}

/** Larger answers are not sent twice, as structure and as text. */
const MOST_TEXT_BYTES = 16 * 1024

/** So many rows are worth more than long words beside them. */
const ENOUGH_ROWS = 20

/** From nothing cut to so little left that it always fits. */
const CUTS: readonly (Cut | null)[] = [
  null,
  { characters: 500, items: 50 },
  { characters: 100, items: 20 },
  { characters: 40, items: 5 },
]

const IS_CUT = ' Long texts of others are cut here: the API returns them in full.'

/** What a tool answers within its room: with fewer rows, as a lower `limit` has it, and with shorter words if it must. */
export function resultOf(tool: Tool, outcome: Outcome, beside: Beside, room: Room): Result {
  const body = withLocalTimes(outcome.body, outcome.zone) as Args
  const most = tool.rows ? room.listResult : room.result
  const longest = Math.max(0, ...(tool.rows ?? []).map((name) => rowsIn(body, name).length))
  for (const cut of CUTS) {
    const words = cut ? (shortened(body, cut) as Args) : body
    const made = (count: number) => answerOf(tool, { ...outcome, body: words }, beside, count, cut !== null)
    const count = largest(longest, (rows) => bytesOf(made(rows)) <= most)
    if (count >= Math.min(longest, ENOUGH_ROWS) || cut === CUTS.at(-1)) return made(Math.max(0, count))
  }
  throw new Error('the last cut answers')
}

/** The largest count up to `all` that fits, -1 if none does; what is below one that fits, fits too. */
function largest(all: number, fits: (count: number) => boolean): number {
  if (fits(all)) return all
  let [from, to] = [-1, all - 1]
  while (from < to) {
    const middle = Math.ceil((from + to) / 2)
    if (fits(middle)) from = middle
    else to = middle - 1
  }
  return from
}

function rowsIn(body: Args, name: string): readonly unknown[] {
  const rows = body[name]
  return Array.isArray(rows) ? rows : []
}

function answerOf(
  tool: Tool,
  { body, zone, next, more, isReplay }: Outcome & { readonly body: Args },
  { isDry, hint }: Beside,
  count: number,
  isShort: boolean,
): Result {
  const names = (tool.rows ?? []).filter((name) => body[name] !== undefined)
  const shown: Args = {
    ...body,
    ...Object.fromEntries(names.map((name) => [name, rowsIn(body, name).slice(0, count)])),
  }
  const isCut = isShort || names.some((name) => rowsIn(body, name).length > count)
  const hasMore = isCut || body.has_more === true
  const untrusted = untrustedIn(shown)
  const done = isDry ? 'Nothing was done. To do it, make the same call without dry_run.' : next
  const structure = {
    ...(untrusted.length > 0 && { untrusted }),
    ...shown,
    ...((tool.rows || isCut) && { has_more: hasMore }),
    timezone: zone,
    ...(isDry && { dry_run: true }),
    ...(isReplay && { replayed: true }),
    suggested_next_action: `${done}${hasMore && more ? ` ${more(shown)}` : ''}${isShort ? IS_CUT : ''}${hint}`,
  }
  const isSummary = tool.rows !== undefined || bytesOf(structure) > MOST_TEXT_BYTES
  return inBoth(structure, isSummary ? summaryOf(structure, names) : structure)
}

/** What there is, without the rows and without anybody's words. */
function summaryOf(structure: Args, names: readonly string[]): object {
  const plain = Object.entries(structure).filter(
    ([name, value]) => typeof value !== 'object' && !isUntrusted(name),
  )
  const rows = Object.fromEntries(names.map((name) => [name, rowsIn(structure, name).length]))
  return { rows, ...Object.fromEntries(plain), note: 'The rest is in structuredContent.' }
}

/** As structure, and as text for clients that read no structure. */
export function inBoth(structuredContent: Args, text: object = structuredContent): Result {
  return { content: [{ type: 'text', text: JSON.stringify(text) }], structuredContent }
}
