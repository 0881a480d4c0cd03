/** What a scheduler can do beside booking and listing; a storm that needs more is left out and named. */
export type Feature =
  | 'open'
  | 'lengths'
  | 'hosts'
  | 'seats'
  | 'caps'
  | 'holds'
  | 'approval'
  | 'cancel'
  | 'move'
  | 'retries'
  | 'restart'

export type EventTypeSpec = {
  readonly minutes: number
  /** Further lengths that a caller may choose. */
  readonly lengths?: readonly number[]
  readonly hosts?: readonly string[]
  readonly seats?: number
  readonly capPerDay?: number
  readonly approval?: boolean
}

export type EventType = EventTypeSpec & { readonly id: string }

export type Person = {
  readonly name: string
  readonly email: string
  readonly minutes?: number
  /** Sent with each attempt of the same request. */
  readonly retryKey?: string
  /** Ends the request before its answer is read. */
  readonly signal?: AbortSignal
}

/** `taken`: the scheduler says that it cannot be had. `failed`: it could not say. */
export type Answer =
  | { readonly kind: 'made'; readonly id: string }
  | { readonly kind: 'taken' | 'failed'; readonly status: number; readonly why: string }

export type Booking = {
  readonly id: string
  readonly email: string
  /** Milliseconds since 1970. */
  readonly start: number
  readonly end: number
  /** The host who has it; null where the event type itself is what is taken. */
  readonly host: string | null
  readonly isActive: boolean
}

export type Target = {
  readonly name: string
  readonly version: string
  readonly features: ReadonlySet<Feature>
  /** An event type of its own, open around the clock, whose starts follow each other at its shortest length. */
  makeEventType(spec: EventTypeSpec): Promise<EventType>
  makeHost(): Promise<string>
  open(eventType: EventType, from: number, to: number): Promise<number[]>
  book(eventType: EventType, start: number, person: Person): Promise<Answer>
  list(eventType: EventType): Promise<Booking[]>
  hold?(eventType: EventType, start: number): Promise<Answer & { readonly expiresAt?: number }>
  confirm?(hold: string, person: Person): Promise<Answer>
  approve?(id: string): Promise<Answer>
  cancel?(id: string): Promise<Answer>
  move?(id: string, start: number): Promise<Answer>
  /** Ends the process where it stands and starts it again on the same data. */
  restart?(): Promise<void>
}

export type Connection = {
  readonly url: string
  readonly key: string
  /** Of the adapter alone: `--set name=value`. */
  readonly settings: Readonly<Record<string, string>>
  readonly restart: (() => Promise<void>) | null
}

export type Adapter = (connection: Connection) => Promise<Target>

export type Finding = {
  readonly kind: 'double' | 'lost' | 'false_offer' | 'false_refusal'
  readonly what: string
}

export type Row = {
  readonly storm: string
  readonly title: string
  /** Why it was not run; null if it was. */
  readonly leftOut: string | null
  /** Why it could not be run to its end, for instance because the target went away; null if it was. */
  readonly stopped: string | null
  readonly calls: number
  readonly made: number
  readonly failed: number
  readonly double: number
  readonly lost: number
  readonly falseOffers: number
  readonly falseRefusals: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  readonly findings: readonly Finding[]
}

export type Report = {
  readonly target: string
  readonly version: string
  readonly race: string
  readonly node: string
  readonly seed: number
  readonly callers: number
  readonly rounds: number
  readonly at: string
  readonly rows: readonly Row[]
}
