import type { Ask } from '../support/storm/sound.ts'
import type { Ledger } from './ledger.ts'
import type { Phones } from './phones.ts'

const TEXTS = `SELECT b.id, b.status, count(t.id) AS texts, sum(t.attempts) AS attempts, max(t.status) AS text, max(t.last_error) AS error
  FROM bookings b JOIN json_each(?) known ON known.value = b.id
  LEFT JOIN text_messages t ON t.booking_id = b.id AND t.kind = 'cancelled' GROUP BY b.id`

/** Each cancelled booking has one text, sent at most once for each attempt; others have none. Returns how many were compared. */
export async function auditTexts(ask: Ask, phones: Pick<Phones, 'texts'>, ledger: Ledger): Promise<number> {
  const sent = await phones.texts()
  const rows = await ask(TEXTS, JSON.stringify([...ledger.phones.keys()]))
  for (const row of rows) {
    const times = sent.get(ledger.phones.get(row.id)!) ?? 0
    const isOwed = row.status === 'cancelled'
    if (row.texts !== (isOwed ? 1 : 0)) ledger.find('texts unlike cancels', row)
    else if (isOwed && (times === 0 || row.text === 'pending')) ledger.find('a text is never sent', row)
    else if (times > (row.attempts ?? 0))
      ledger.find('a text is sent more often than it was attempted', row, times)
  }
  return rows.length
}
