import { fenceOf } from '../../platform/db/refusals.ts'
import { type Refusal, Refused } from '../../platform/http/errors.ts'

/** An organization that is to be deleted changes nothing but that. */
export const BEING_DELETED: Refusal = {
  code: 'conflict',
  message: 'It is to be deleted: take that back first.',
}

export async function unlessDeleted<T>(commit: Promise<T>): Promise<T> {
  try {
    return await commit
  } catch (error) {
    throw fenceOf(error) === 'BEING_DELETED' ? new Refused(BEING_DELETED) : error
  }
}
