import { invalid, type Refusal, Refused } from '../platform/http/errors.ts'
import { parseJson, readBody } from '../platform/http/read-body.ts'
import { problem } from '../platform/reasons/reason.ts'
import { NUMBERS } from './protocol-error.ts'

const LONGEST_ID = 255

type Named = { readonly id?: unknown }

/** What was posted: a message or a batch of them. `number` says whether what is wrong is JSON. */
export async function readMessages(
  request: Request,
): Promise<{ readonly read: unknown } | { readonly unreadable: Refusal; readonly number: number }> {
  let number: number = NUMBERS.parseError
  try {
    const read = parseJson(await readBody(request))
    number = NUMBERS.invalidRequest
    // The transport would take a batch of nothing without a word.
    if (Array.isArray(read) && read.length === 0) throw invalid({ body: problem('empty') })
    // Of two with one id the transport would answer one, and both would be done.
    if (Array.isArray(read) && hasIdTwice(read)) throw invalid({ id: problem('id_twice') })
    const all: readonly unknown[] = Array.isArray(read) ? read : [read]
    // It is part of the answer, whose size is bounded.
    if (all.some(hasLongId)) throw invalid({ id: problem('too_long', { most: LONGEST_ID }) })
    return { read }
  } catch (error) {
    if (error instanceof Refused) return { unreadable: error.refusal, number }
    throw error
  }
}

function hasLongId(message: unknown): boolean {
  const id = (message as Named | null)?.id
  return typeof id === 'string' && id.length > LONGEST_ID
}

function hasIdTwice(batch: readonly unknown[]): boolean {
  const requests = batch.filter(
    (one): one is Named => typeof one === 'object' && one !== null && 'method' in one,
  )
  const ids = requests.map(({ id }) => id).filter((id) => id !== undefined && id !== null)
  return new Set(ids).size < ids.length
}
