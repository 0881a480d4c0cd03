import { answerField, answersIn } from './answers-in.ts'

/** What was chosen on the way to a booking. */
const CHOICES = ['month', 'date', 'time', 'duration', 'wait', 'token', 'member', 'page'] as const
/** How the page is shown. */
const LOOKS = ['tz', 'lang', 'clock', 'embed', 'host', 'theme', 'color', 'details', 'preview'] as const
/** What the author of the link knows already. Metadata and answers follow as `metadata[key]` and `answers[key]`. */
const PREFILLED = ['name', 'email', 'notes', 'guests'] as const
/** What a page carries from step to step. Everything else in an address is dropped. */
const STATE = [...CHOICES, ...LOOKS, ...PREFILLED] as const
type State = (typeof STATE)[number]

const METADATA = /^metadata\[([^\]]{1,100})\]$/
const MAX_METADATA = 20
/** Addresses have to stay short enough for whatever they go through. */
const MAX_TOLD_ANSWER = 500

/** This address with some of its state changed; null takes it out. */
export function linkTo(
  url: URL,
  changes: Partial<Record<State, string | null>>,
  pathname = url.pathname,
): string {
  const query = new URLSearchParams()
  for (const name of STATE) {
    const value = name in changes ? changes[name] : url.searchParams.get(name)
    if (value != null && value !== '') query.set(name, value)
  }
  // A response without the person has no metadata either.
  const told = changes.name === null ? '' : toldIn(url)
  const text = [query.toString(), told].filter((part) => part !== '').join('&')
  return text === '' ? pathname : `${pathname}?${text}`
}

const toldBy = new WeakMap<URL, string>()

/** Metadata and answers, which may be many and are part of each link of a page. */
function toldIn(url: URL): string {
  const known = toldBy.get(url)
  if (known !== undefined) return known
  const metadata = Object.entries(metadataIn(url)).map(([key, value]) => [`metadata[${key}]`, value])
  const text = new URLSearchParams([...metadata, ...answerFieldsIn(url)]).toString()
  toldBy.set(url, text)
  return text
}

/** What a form has to carry on, as hidden fields, besides what it asks itself. */
export function carried(url: URL, except: readonly State[]): [string, string][] {
  const state = STATE.filter((name) => !except.includes(name)).flatMap((name): [string, string][] => {
    const value = url.searchParams.get(name)
    return value ? [[name, value]] : []
  })
  return [
    ...state,
    ...Object.entries(metadataIn(url)).map(([key, value]): [string, string] => [`metadata[${key}]`, value]),
    ...answerFieldsIn(url),
  ]
}

/** How the page is shown, without what was chosen on it and what is known of the person. */
export function manner(url: URL): Record<State, string | null> {
  const kept = Object.fromEntries(STATE.map((name) => [name, null])) as Record<State, string | null>
  for (const name of LOOKS) kept[name] = url.searchParams.get(name)
  return kept
}

/** The same with what is known of the person, for another page of the organization: a preview opens one alone. */
export function fresh(): Partial<Record<State, string | null>> {
  return {
    ...{ month: null, time: null, duration: null, wait: null },
    ...{ token: null, member: null, preview: null, page: null },
  }
}

/** What the link knows of the answers. */
function answerFieldsIn({ searchParams }: URL): [string, string][] {
  return [...answersIn(searchParams, MAX_TOLD_ANSWER)].flatMap(([key, values]) =>
    values.map((value): [string, string] => [answerField(key), value]),
  )
}

/** What the link says for the organization to find on the booking. */
export function metadataIn({ searchParams }: URL): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [name, value] of searchParams) {
    const key = METADATA.exec(name)?.[1]
    if (key !== undefined && Object.keys(found).length < MAX_METADATA) found[key] = value.slice(0, 500)
  }
  return found
}
