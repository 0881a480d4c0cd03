import type { TenantCaller } from '../../platform/auth/caller.ts'
import { openDb } from '../../platform/db/client.ts'
import type { LeftOut, Made } from '../../platform/db/schema/import-jobs.ts'
import type { Context } from '../../platform/http/context.ts'
import type { Refusal } from '../../platform/http/errors.ts'
import type { Why } from '../../platform/reasons/left-out.ts'
import { type Host, makeBooking, makeEventType, makeSchedule } from './make-found.ts'
import { selectMadeFrom, selectMembersOf } from './queries.ts'
import type { FoundBooking, FoundEventType, FoundSchedule, Person, Source } from './source.ts'
import { leftOut, leftOutTexts } from './whys.ts'

/** What an import has done so far. */
export type Progress = {
  /** When the job was begun whose earlier attempt this one continues; null if it is the first. */
  readonly continuedFrom?: number | null
  made: { -readonly [Kind in keyof Made]: number }
  readonly leftOut: LeftOut[]
  /** What a dry run would make. */
  readonly wouldMake: { readonly type: 'schedule' | 'event_type' | 'booking'; readonly what: string }[]
}

const MOST_BOOKINGS = 5000
/** A row has at most two megabytes: that of the job, and that of its event, which says it in sentences. */
const MOST_LEFT_OUT_BYTES = 1_500_000
const UTF8 = new TextEncoder()

/** Refusals that have a sentence of their own here. */
const WHY_NOT: Readonly<Record<string, Why>> = {
  not_open: 'taken',
  hosts_busy: 'taken',
  not_a_host: 'not_its_host',
}
const SUITES: ReadonlySet<string> = new Set([
  'needs_google',
  'google_makes_no_meetings',
  'needs_microsoft',
  'microsoft_makes_no_meetings',
])

/**
 * Makes what the source has and was not made before, and stops after each thing so that its caller can pause. What was made
 * stays as it is here, whatever became of it.
 */
export async function* importFound(
  contextNow: () => Context<TenantCaller>,
  source: Source,
  progress: Progress,
): AsyncGenerator<void> {
  const { env, caller, isDry } = contextNow()
  const db = openDb(env, 'decide')
  const [rows, people] = await db.batch([
    selectMadeFrom(db, caller.organizationId, source.name),
    selectMembersOf(db, caller.organizationId),
  ])
  const known = new Map(rows.map((row) => [row.source, row.madeId]))
  const since = progress.continuedFrom ?? Number.POSITIVE_INFINITY
  /** Made by an earlier attempt of this job, which may have ended before it stored what it left out. */
  const unreported = new Set(rows.filter((row) => row.createdAt >= since).map((row) => row.source))
  const members = new Map(people.map(({ id, userEmail }) => [userEmail.toLowerCase(), id]))
  const keyOf = (kind: string, id: string) => `${source.name}/${kind}/${id}`
  const memberOf = ({ email }: Person) => (email === null ? undefined : members.get(email.toLowerCase()))
  const unknown = new Set<string>()
  const required = new Set<string>()
  let bookings = 0
  let isFull = false

  const told = new Set(progress.leftOut.map((one) => JSON.stringify(one)))
  let leftOutBytes = progress.leftOut.reduce((sum, one) => sum + bytesLeftOut(one), 0)
  const lose = (...lost: readonly LeftOut[]) => {
    for (const one of lost) {
      if (told.has(JSON.stringify(one))) continue
      const bytes = bytesLeftOut(one)
      if (leftOutBytes + bytes > MOST_LEFT_OUT_BYTES) return
      leftOutBytes += bytes
      progress.leftOut.push(one)
    }
  }
  const loseAs = (what: Parameters<typeof leftOut>[0], why: Why) => lose(leftOut(what, why))
  const refused = (what: Parameters<typeof leftOut>[0], refusal: Refusal) => {
    const why = WHY_NOT[refusal.reason]
    lose(why ? leftOut(what, why) : leftOut(what, 'refused', refusal))
  }
  /** Everybody is named once. */
  const loseHost = ({ email, name }: Person) => {
    const who = email ?? name
    // A stored address would have to be erased with its person.
    const isShown = name !== '' && !name.includes('@')
    if (!unknown.has(who)) loseAs(isShown ? { part: 'host', of: name } : { part: 'somebody' }, 'no_member')
    unknown.add(who)
  }
  const would = (type: Progress['wouldMake'][number]['type'], what: string, key: string) => {
    progress.wouldMake.push({ type, what })
    known.set(key, '')
  }

  async function addSchedule(found: FoundSchedule): Promise<void> {
    const key = keyOf('schedule', found.id)
    if (known.has(key)) return
    if (isDry) return would('schedule', `${found.name} (${found.owner.name})`, key)
    const memberId = memberOf(found.owner) ?? null
    const ctx = contextNow()
    const made = await makeSchedule({ ctx, source: key }, found, memberId)
    if ('refusal' in made) {
      return refused({ part: 'hours', of: found.owner.name, detail: found.name }, made.refusal)
    }
    known.set(key, made.id)
    progress.made.schedules += 1
  }

  async function addEventType(found: FoundEventType): Promise<void> {
    const key = keyOf('event_type', found.id)
    for (const { person, isRequired } of found.hosts) {
      if (isRequired) required.add(`${key} ${memberOf(person)}`)
    }
    const isMade = known.has(key)
    if (isMade && !unreported.has(key)) return
    const hosts = found.hosts.flatMap(({ person, scheduleId, isRequired }) => {
      const memberId = memberOf(person)
      if (memberId === undefined) loseHost(person)
      const schedule = scheduleId === null ? undefined : known.get(keyOf('schedule', scheduleId))
      const part: Host['part'] = isRequired ? 'required' : 'pool'
      return memberId === undefined ? [] : [{ memberId, scheduleId: schedule ?? null, part }]
    })
    if (hosts.length === 0 && found.hosts.length > 1 && !isMade) return loseAs(found.title, 'no_host')
    lose(...found.leftOut)
    if (isMade) return
    if (isDry) return would('event_type', found.title, key)
    const ctx = contextNow()
    const make = (places: unknown) =>
      makeEventType({ ctx, source: key }, { ...found.fields, ...hoursOf(found, hosts), places }, hosts)
    const { places = [] } = found.fields
    let made = await make(places)
    if ('refusal' in made && SUITES.has(made.refusal.reason)) {
      loseAs({ part: 'place', of: found.title, detail: 'Google Meet, Microsoft Teams' }, 'no_calendar')
      made = await make((places as { kind: string }[]).filter(({ kind }) => !kind.startsWith('calendar_')))
    }
    if ('refusal' in made) return refused(found.title, made.refusal)
    known.set(key, made.id)
    progress.made.event_types += 1
  }

  /** The hours of its hosts; without one, those of its first host there. */
  function hoursOf({ hosts: theirs }: FoundEventType, hosts: readonly { scheduleId: string | null }[]) {
    if (hosts.length > 0) return hosts.some((one) => one.scheduleId) ? { hours_from: 'hosts' } : {}
    const [first] = theirs
    const schedule = first?.scheduleId ? known.get(keyOf('schedule', first.scheduleId)) : undefined
    return schedule ? { schedule_id: schedule } : {}
  }

  async function* addBooking(found: FoundBooking): AsyncGenerator<void> {
    const key = keyOf('booking', found.id)
    if (!found.isShared && known.has(key)) return
    const eventTypeKey = keyOf('event_type', found.eventTypeId)
    const eventTypeId = known.get(eventTypeKey)
    if (eventTypeId === undefined) return loseAs(found.what, 'no_event_type')
    if (isDry) {
      isFull = bookings >= MOST_BOOKINGS
      bookings += 1
      return isFull ? undefined : would('booking', found.what, key)
    }
    // Those who always take part are not chosen.
    const canBeChosen = (id: string | undefined) => id !== undefined && !required.has(`${eventTypeKey} ${id}`)
    const memberId = found.hosts.map(memberOf).find(canBeChosen) ?? null
    const read = await readParties(found)
    if (read === null) return loseAs(found.what, 'unreadable')
    const { parties, leftOut: lost = [] } = read
    lose(...lost)
    for (const { id, booking } of parties) {
      const partyKey = id === null ? key : `${key}/${id}`
      if (known.has(partyKey)) continue
      isFull = bookings >= MOST_BOOKINGS
      if (isFull) return
      bookings += 1
      if (booking.durationMinutes < 1 || booking.durationMinutes > 480) loseAs(found.what, 'duration')
      else {
        const ctx = contextNow()
        const made = await makeBooking({ ctx, source: partyKey }, eventTypeId, memberId, booking)
        if ('refusal' in made) refused(found.what, made.refusal)
        else {
          known.set(partyKey, made.id)
          progress.made.bookings += 1
        }
      }
      yield
    }
  }

  for await (const found of source.read()) {
    switch (found.type) {
      case 'left_out':
        lose(found.lost)
        break
      case 'schedule':
        await addSchedule(found)
        break
      case 'event_type':
        await addEventType(found)
        break
      case 'booking':
        yield* addBooking(found)
    }
    if (isFull) {
      progress.leftOut.push(leftOut({ part: 'further' }, 'most'))
      return
    }
    yield
  }
}

function bytesLeftOut(one: LeftOut): number {
  return Math.max(bytesOf(one), bytesOf(leftOutTexts(one)))
}

function bytesOf(value: unknown): number {
  return UTF8.encode(JSON.stringify(value)).byteLength + 1
}

/** Null if they have another form than documented. */
async function readParties(
  found: FoundBooking,
): Promise<Awaited<ReturnType<FoundBooking['parties']>> | null> {
  try {
    return await found.parties()
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}
