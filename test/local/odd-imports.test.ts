import { describe, expect, it } from 'vitest'
import { openCalcom as openCalcomDouble } from '../../doubles/calcom/open-calcom.ts'
import { openCalendly as openCalendlyDouble } from '../../doubles/calendly/open-calendly.ts'
import { openCalcom } from '../../src/operations/imports/calcom/open-calcom.ts'
import { openCalendly } from '../../src/operations/imports/calendly/open-calendly.ts'
import { type Found, type Source, SourceError } from '../../src/operations/imports/source.ts'
import { amount } from '../support/chance.ts'
import { freshWorld } from '../support/fresh-world.ts'

const ODD = [null, 0, 'x', [null]]
/** Things of one kind are alike. */
const OF_EACH_LIST = 2

type Path = readonly string[]
type Answer = { readonly status: number; readonly json: unknown }
type Ask = (url: string, init?: RequestInit) => Promise<Response>

function* pathsIn(value: unknown, at: Path = []): Generator<Path> {
  if (at.length > 0) yield at
  if (typeof value !== 'object' || value === null) return
  const names = Object.keys(value)
  for (const name of Array.isArray(value) ? names.slice(0, OF_EACH_LIST) : names) {
    yield* pathsIn((value as Record<string, unknown>)[name], [...at, name])
  }
}

function changed(value: unknown, path: Path, to: unknown): unknown {
  const [first, ...rest] = path
  if (first === undefined) return to
  const copy: any = Array.isArray(value) ? [...value] : { ...(value as object) }
  copy[first] = changed(copy[first], rest, to)
  return copy
}

async function readAll(open: (fetch: Ask) => Source, fetch: Ask): Promise<Found[]> {
  const all: Found[] = []
  for await (const found of open(fetch).read()) all.push(found)
  return all
}

/** Reads the account with each thing in each answer replaced by something odd. */
async function readOddly(open: (fetch: Ask) => Source) {
  const answers = new Map<string, Answer>()
  const ask: Ask = async (url, init) => {
    if (!answers.has(url)) {
      const response = await fetch(url, init)
      answers.set(url, { status: response.status, json: await response.json() })
    }
    const { status, json } = answers.get(url)!
    return new Response(JSON.stringify(json), { status })
  }
  await readAll(open, ask)
  const ended: string[] = []
  let [left, turn] = [0, 0]
  for (const [url, { status, json }] of [...answers]) {
    if (status !== 200 || url.endsWith('/me')) continue
    for (const path of pathsIn(json)) {
      // `npm run storms` tries each of them at each place, `npm test` one in turn.
      turn += 1
      for (const odd of ODD.filter((_, at) => (turn + at) % amount(ODD.length, 1) === 0)) {
        const text = JSON.stringify(changed(json, path, odd))
        try {
          const found = await readAll(open, (one, init) =>
            one === url ? Promise.resolve(new Response(text)) : ask(one, init),
          )
          left += Number(found.some((one) => one.type === 'left_out' && one.lost.why === 'unreadable'))
        } catch (error) {
          // It was asked for something that is not there.
          if (error instanceof SourceError) continue
          ended.push(`${new URL(url).pathname} ${path.join('.')} = ${JSON.stringify(odd)}: ${error}`)
        }
      }
    }
  }
  return { ended, left }
}

const NOW = Date.now()
const PATIENCE = { tries: 1, wait: async () => {} }

describe('an import that gets something odd', () => {
  const calcom = freshWorld(openCalcomDouble)
  const calendly = freshWorld(openCalendlyDouble)

  it('from Cal.com leaves that out, and goes on', async () => {
    const base = `${calcom.base()}/v2`
    const open = (fetch: Ask) =>
      openCalcom({ fetch: fetch as never, base, ...PATIENCE }, 'cal_live_double_ada', NOW)
    const { ended, left } = await readOddly(open)
    expect(ended).toEqual([])
    expect(left).toBeGreaterThan(amount(12, 50))
  }, 120_000)

  it('from Calendly leaves that out, and goes on', async () => {
    const base = calendly.base()
    const secret = 'eyJraWQiOiJkb3VibGUifQ.ada.signature'
    const open = (fetch: Ask) => openCalendly({ fetch: fetch as never, base, ...PATIENCE }, secret, NOW)
    const { ended, left } = await readOddly(open)
    expect(ended).toEqual([])
    expect(left).toBeGreaterThan(amount(12, 50))
  }, 120_000)
})
