import { fenceOf } from '../../platform/db/refusals.ts'
import { conflict } from '../../platform/http/errors.ts'

/** What `commit` answers; a conflict where it is refused because the organization is to be deleted. */
export async function unlessDeleted<T>(commit: Promise<T>): Promise<T> {
  try {
    return await commit
  } catch (error) {
    if (fenceOf(error) !== 'BEING_DELETED') throw error
    throw conflict('It is to be deleted: take that back first.')
  }
}
