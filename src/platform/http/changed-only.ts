/** Keeps only what differs from what was read, so that a call without changes writes nothing. */
export function changedOnly<Row extends object>(read: Row, wanted: Partial<Row>): Partial<Row> {
  const names = Object.keys(wanted) as (keyof Row)[]
  const changed = names.filter((name) => JSON.stringify(read[name]) !== JSON.stringify(wanted[name]))
  return Object.fromEntries(changed.map((name) => [name, wanted[name]])) as Partial<Row>
}
