/** What a page carries from step to step. Everything else in an address is dropped. */
const STATE = [
  'month',
  'date',
  'time',
  'duration',
  'tz',
  'lang',
  'embed',
  'host',
  'wait',
  'token',
  'preview',
] as const
type State = (typeof STATE)[number]

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
  const text = query.toString()
  return text === '' ? pathname : `${pathname}?${text}`
}

/** What a form has to carry on, as hidden fields, besides what it asks itself. */
export function carried(url: URL, except: readonly State[]): [string, string][] {
  return STATE.filter((name) => !except.includes(name)).flatMap((name): [string, string][] => {
    const value = url.searchParams.get(name)
    return value ? [[name, value]] : []
  })
}

/** How the page is shown, without what was chosen on it. */
export function manner(url: URL): Record<State, string | null> {
  const kept = Object.fromEntries(STATE.map((name) => [name, null])) as Record<State, string | null>
  for (const name of ['lang', 'tz', 'embed', 'host', 'preview'] as const)
    kept[name] = url.searchParams.get(name)
  return kept
}
