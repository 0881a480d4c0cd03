import { subjectOf } from '../../booking/anonymous-callers/codes/code.ts'
import { seal, unseal } from '../../platform/auth/secret.ts'
import { asParameters, assertTime, type Erasing, inPages } from './erasing.ts'
import { type Scopes, selectEventTypeIds, selectStoredResponses } from './queries.ts'
import { clearAnswers, deleteCodes } from './statements.ts'
import { withoutPerson } from './without-person.ts'

const ANSWERS_A_PAGE = 100

/** Codes that were emailed to them, and responses stored under an Idempotency-Key. */
export async function eraseCodes(erasing: Erasing): Promise<void> {
  const { env, db, tenant, person, counts } = erasing
  const eventTypes = await selectEventTypeIds(db, tenant)
  await inPages(erasing, eventTypes, async (page) => {
    const subjects = await Promise.all(page.map(({ id }) => subjectOf(env, id, person.email)))
    counts.codes += (await deleteCodes(db, subjects)).length
  })
  const ours = `${tenant.organizationId}/${tenant.isTest ? 'test' : 'live'}`
  // Whatever goes on after it with a slash is that of one member.
  await eraseAnswers(erasing, { from: ours, below: `${ours}0` })
  await inPages(erasing, eventTypes, (page) =>
    eraseAnswers(
      erasing,
      page.map(({ id }) => `public/${id}`),
    ),
  )
}

async function eraseAnswers(erasing: Erasing, scopes: Scopes): Promise<void> {
  const { env, db, person, until, counts } = erasing
  for (let after = { scope: '', key: '' }; ; ) {
    assertTime(until)
    const page = await selectStoredResponses(db, scopes, after, ANSWERS_A_PAGE)
    const cleared = await Promise.all(
      page.map(async ({ scope, key, answer }) => {
        const read = JSON.parse(await unseal(env.ENCRYPTION_KEY, answer))
        const { value, isChanged } = withoutPerson(read, person)
        // Callers may make a key of an address.
        const keyTo = person.takenFromKey(key)
        if (!isChanged && keyTo === key) return []
        const cleared = isChanged ? await seal(env.ENCRYPTION_KEY, JSON.stringify(value)) : answer
        return [{ scope, key, answer, cleared, keyTo }]
      }),
    )
    const rows = cleared.flat()
    let done = 0
    for (const list of asParameters(rows)) done += (await clearAnswers(db, list)).length
    counts.kept_answers += done
    // A response that was completed in the meantime is read again.
    if (done < rows.length) continue
    if (page.length < ANSWERS_A_PAGE) return
    after = page.at(-1)!
  }
}
