import type { Report } from './soak.ts'

const MB = 1_000_000
const MOST_FINDINGS = 50

/** The report as it is printed, and as docs/benchmarks.md has it. */
export function linesOf(report: Report): string[] {
  const { options, ledger, seconds, sent, kills, cuts, repeated, compared, drainSeconds, bytes } = report
  const { operations, seed, clients } = options
  const counts = [...ledger.counts].sort(([a], [b]) => a.localeCompare(b))
  const byKind = Map.groupBy(counts, ([name]) => name.slice(0, name.lastIndexOf(' ')))
  const kinds = [...byKind].map(([kind, answers]) => {
    const total = answers.reduce((sum, [, times]) => sum + times, 0)
    const told = answers.map(([name, times]) => `${name.slice(kind.length + 1)}: ${times}`).join(', ')
    return `| ${kind} | ${total} | ${told} |`
  })
  return [
    `\`npm run soak -- --operations ${operations} --seed ${seed} --clients ${clients} --kills ${options.kills}\``,
    '',
    `${sent} operations of ${clients} clients in ${seconds} s, ${Math.round(sent / seconds)} a second with everything; ${ledger.acknowledged} were acknowledged.`,
    `${kills} kills; ${cuts} requests had no answer, and ${repeated} of them were sent again with their key.`,
    `${compared.audits} audits; the last one compared ${compared.bookings} bookings, ${compared.entries} waitlist entries and ${compared.events} events.`,
    `${compared.told} events were in the feeds once each, and were taken ${compared.deliveries} times by a receiver that refused one in twenty.`,
    `After the last client, the queues had their work done in ${drainSeconds} s; ${compared.moved} attempts that were due later were not waited for.`,
    `The database had ${(bytes / MB).toFixed(1)} MB at the end.`,
    `${ledger.findings.length} findings.`,
    '',
    '| operation | times | answers |',
    '| --- | ---: | --- |',
    ...kinds,
    ...ledger.findings.slice(0, MOST_FINDINGS).map((finding) => `\nFINDING ${finding}`),
  ]
}
