import { fenceOf } from '../../platform/db/refusals.ts'
import { refuse } from '../../platform/http/errors.ts'

/** An organization that is to be deleted changes nothing but that. */
export async function unlessDeleted<T>(commit: Promise<T>): Promise<T> {
  try {
    return await commit
  } catch (error) {
    throw fenceOf(error) === 'BEING_DELETED' ? refuse('to_be_deleted') : error
  }
}
