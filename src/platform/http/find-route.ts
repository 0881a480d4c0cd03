/** What answers a method at a path such as `/v1/bookings/:id`. */
type Place<T> = { readonly method: string; readonly path: string; readonly value: T }

type Pattern<T> = {
  /** Null stands for a parameter. */
  readonly segments: readonly (string | null)[]
  readonly names: readonly string[]
  readonly value: T
}

type FoundRoute<T> = { readonly value: T; readonly params: Readonly<Record<string, string>> }

/**
 * Finds what answers a request. The first place that fits is taken; slashes at the end are nothing. Parameters come as
 * they were sent, percent-encoded.
 */
export function routeFinder<T>(places: readonly Place<T>[]) {
  const patterns = Map.groupBy(places.map(patternOf), ({ key }) => key)
  return (method: string, pathname: string): FoundRoute<T> | null => {
    const segments = segmentsOf(pathname)
    for (const { pattern } of patterns.get(keyOf(method, segments)) ?? []) {
      if (fits(pattern, segments)) return { value: pattern.value, params: paramsOf(pattern, segments) }
    }
    return null
  }
}

/** Finds whose path is the longest one that a request's path begins with. */
export function ownerFinder<T>(places: readonly Omit<Place<T>, 'method'>[]) {
  const patterns = places
    .map((place) => patternOf({ ...place, method: '' }).pattern)
    .sort((a, b) => b.segments.length - a.segments.length)
  return (pathname: string): T | null => {
    const segments = segmentsOf(pathname)
    return patterns.find((pattern) => fits(pattern, segments))?.value ?? null
  }
}

function patternOf<T>({ method, path, value }: Place<T>): {
  readonly key: string
  readonly pattern: Pattern<T>
} {
  const segments = segmentsOf(path)
  const names = segments.flatMap((segment) => (segment.startsWith(':') ? [segment.slice(1)] : []))
  const pattern = {
    segments: segments.map((segment) => (segment.startsWith(':') ? null : segment)),
    names,
    value,
  }
  return { key: keyOf(method, segments), pattern }
}

function keyOf(method: string, segments: readonly string[]): string {
  return `${method} ${segments.length}`
}

function segmentsOf(path: string): readonly string[] {
  let end = path.length
  while (end > 0 && path[end - 1] === '/') end -= 1
  return path.slice(1, end).split('/')
}

function fits({ segments }: Pattern<unknown>, sent: readonly string[]): boolean {
  return segments.every((segment, at) => (segment === null ? Boolean(sent[at]) : segment === sent[at]))
}

function paramsOf({ segments, names }: Pattern<unknown>, sent: readonly string[]): Record<string, string> {
  const values = sent.filter((_, at) => segments[at] === null)
  return Object.fromEntries(names.map((name, at) => [name, values[at]!]))
}
