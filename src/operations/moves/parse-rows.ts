import { isId, shardOf } from '../../platform/db/ids.ts'
import { type MovedTable, SEALED, TABLES_BY_LINE } from '../../platform/db/moved-tables.ts'
import type { Bound } from '../../platform/db/text-statement.ts'
import { problem } from '../../platform/reasons/reason.ts'
import { type Fields, valuesOf } from './check-line.ts'
import { FORMAT } from './export-lines.ts'
import { lineError } from './read-lines.ts'
import { withoutTrust } from './untrusted.ts'

/** What a file says of itself on its first line. */
export type Header = { readonly organizationId: string; readonly keyVersion: string }

/** Something that was sealed under a key that is not here, or that only a trusted file is believed. */
type LeftOut = {
  readonly line: number
  readonly type: string
  readonly field: string | null
  readonly why: 'sealed' | 'untrusted'
}

/** Things that others name, which therefore come before them. */
const NAMED = {
  event_type_id: 'event_types',
  connection_id: 'calendar_connections',
  endpoint_id: 'webhook_endpoints',
} as const
/** A meeting names an account of a conferencing provider there. */
const NAMES_ANOTHER = new Set(['meetings'])

export function headerOf(number: number, fields: Fields): Header {
  if (fields.type !== 'export') throw lineError(number, 'type', problem('wrong_first_line'))
  if (fields.format !== FORMAT)
    throw lineError(number, 'format', problem('not_one_of', { values: [String(FORMAT)] }))
  const { organization_id: organizationId, key_version: keyVersion } = fields
  if (typeof organizationId !== 'string' || !isId(organizationId)) {
    throw lineError(number, 'organization_id', problem('not_an_id'))
  }
  if (typeof keyVersion !== 'string')
    throw lineError(number, 'key_version', problem('not_a', { kinds: ['string'] }))
  return { organizationId, keyVersion }
}

/** Checks the lines of a file one by one, and returns what goes into which table. */
export class Gatherer {
  readonly counts: Record<string, number> = {}
  readonly leftOut: LeftOut[] = []
  /** What only one organization may have. */
  names: { readonly slug?: string; readonly owner?: string | undefined } = {}
  readonly #header: Header
  readonly #versions: readonly string[]
  readonly #isTrusted: boolean
  readonly #there: Readonly<Record<string, Set<string>>> = {
    event_types: new Set(),
    calendar_connections: new Set(),
    webhook_endpoints: new Set(),
  }
  /** Of these nothing comes, nor anything that names them. */
  readonly #missing = new Set<string>()
  #isOver = false

  constructor(header: Header, versions: readonly string[], isTrusted: boolean) {
    this.#header = header
    this.#versions = versions
    this.#isTrusted = isTrusted
  }

  get isOver(): boolean {
    return this.#isOver
  }

  get eventTypeIds(): readonly string[] {
    return [...this.#there.event_types!]
  }

  isMissing(id: string): boolean {
    return this.#missing.has(id)
  }

  /** The row of a line; null where there is none for it. */
  take(number: number, fields: Fields): { readonly table: MovedTable; readonly values: Bound[] } | null {
    if (this.#isOver) throw lineError(number, null, problem('after_end'))
    const { type } = fields
    if (type === 'end') {
      this.#end(number, fields)
      return null
    }
    const table = typeof type === 'string' ? TABLES_BY_LINE.get(type) : undefined
    if (!table) throw lineError(number, 'type', problem('wrong_type_of_line'))
    const shard = shardOf(this.#header.organizationId)
    const given = valuesOf(number, table, fields, shard)
    this.counts[table.line] = (this.counts[table.line] ?? 0) + 1
    this.#assertOurs(number, table, fields)
    const believed = this.#isTrusted ? { row: fields, changed: [] } : withoutTrust(table.name, fields)
    this.#noteUntrusted(number, table, believed?.changed ?? [null])
    if (!believed) {
      if (typeof fields.id === 'string') this.#missing.add(fields.id)
      return null
    }
    const values = believed.row === fields ? given : valuesOf(number, table, believed.row, shard)
    return this.#withoutSealed(number, table, fields, values) && this.#named(number, table, fields)
      ? { table, values }
      : null
  }

  #noteUntrusted(line: number, { line: type }: MovedTable, fields: readonly (string | null)[]): void {
    this.leftOut.push(...fields.map((field) => ({ line, type, field, why: 'untrusted' as const })))
  }

  #assertOurs(number: number, { name }: MovedTable, fields: Fields): void {
    const field = name === 'organizations' ? 'id' : 'organization_id'
    if (field in fields && fields[field] !== this.#header.organizationId) {
      throw lineError(number, field, problem('wrong_organization'))
    }
    if (name === 'organizations' && this.counts.organizations! > 1) {
      throw lineError(number, 'type', problem('organization_twice'))
    }
    if (name !== 'organizations' && !this.counts.organizations) {
      throw lineError(number, 'type', problem('organization_not_first'))
    }
    if (name === 'organizations') {
      this.names = {
        slug: fields.slug as string,
        owner: (fields.owner_user_id as string | null) ?? undefined,
      }
    }
    this.#there[name]?.add(fields.id as string)
  }

  /** Whether the rows it names exist. A missing row is an error; a row that was left out takes this one along. */
  #named(number: number, { name }: MovedTable, fields: Fields): boolean {
    if (name === 'idempotency_keys') {
      const { scope } = fields as { scope: string }
      const [kind, id] = scope.split('/')
      const isOurs =
        kind === this.#header.organizationId || (kind === 'public' && this.#there.event_types!.has(id ?? ''))
      if (!isOurs) throw lineError(number, 'scope', problem('wrong_organization'))
    }
    for (const [field, table] of Object.entries(NAMED)) {
      const id = fields[field]
      if (typeof id !== 'string' || NAMES_ANOTHER.has(name) || this.#there[table]!.has(id)) {
        if (typeof id === 'string' && this.#missing.has(id)) return false
        continue
      }
      // A calendar write outlives its calendar.
      if (name === 'calendar_writes') continue
      throw lineError(number, field, problem('not_before', { table }))
    }
    return true
  }

  /** Whether the row goes on. Texts that cannot be opened are taken out of it. */
  #withoutSealed(number: number, table: MovedTable, fields: Fields, values: Bound[]): boolean {
    for (const [field, loss] of Object.entries(SEALED[table.name] ?? {})) {
      const sealed = fields[field]
      if (typeof sealed !== 'string' || sealed === '' || this.#canOpen(sealed)) continue
      this.leftOut.push({
        line: number,
        type: table.line,
        field: loss === 'row' ? null : field,
        why: 'sealed',
      })
      if (loss === 'row') {
        if (typeof fields.id === 'string') this.#missing.add(fields.id)
        return false
      }
      values[table.columns.findIndex(({ name }) => name === field)] = null
    }
    // A calendar goes with the account that it is read with.
    const isLost = table.name === 'calendar_connections' && this.#missing.has(String(fields.account_id))
    if (isLost) this.#missing.add(fields.id as string)
    return !isLost
  }

  #canOpen(sealed: string): boolean {
    return this.#versions.some((version) => sealed.startsWith(`${version}.`))
  }

  #end(number: number, { rows }: Fields): void {
    const told = (typeof rows === 'object' && rows !== null ? rows : {}) as Fields
    const wrong = [...new Set([...Object.keys(told), ...Object.keys(this.counts)])].find(
      (name) => told[name] !== this.counts[name],
    )
    if (wrong !== undefined) {
      throw lineError(number, `rows.${wrong}`, problem('wrong_count', { count: this.counts[wrong] ?? 0 }))
    }
    if (!this.counts.organizations) throw lineError(number, null, problem('no_organization_line'))
    this.#isOver = true
  }
}
