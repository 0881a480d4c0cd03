import type { Env } from '../../env.ts'
import type { Origin } from '../../platform/auth/caller.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import { inShard } from '../../platform/db/shards.ts'
import type { RealMs } from '../../platform/limits/clock.ts'
import type { Part } from './commit-parts.ts'
import type { Person } from './person.ts'
import { enqueueSecurityEmails, type SecurityChange } from './security-email.ts'
import { changeNoted, type MembershipRow } from './sessions.ts'

/** The person whose sign-in changes: each of their organizations logs it, and they get an email. */
export type Changing = Pick<Origin, 'ipAddress' | 'requestId'> & {
  readonly person: Person
  readonly memberships: readonly MembershipRow[]
  readonly device: string
  readonly now: RealMs
}

/** Changes in the directory how a person signs in, together with the email about it. False when the change is refused (STALE). */
export async function changeAndNotify(
  env: Env,
  { person, memberships, device, now, ...origin }: Changing,
  news: SecurityChange,
  statements: (db: Db) => Statement[],
  action: `member.${string}`,
  /** What is noted besides. */
  also: readonly Part[] = [],
): Promise<boolean> {
  const happened = { memberships, device, now }
  const told = await enqueueSecurityEmails(inShard(env, 0), happened, [{ to: person.email, news }])
  const all = (db: Db) => [...statements(db), ...told.statements(db)]
  const isDone = await changeNoted(env, 0, all, { memberships, origin }, action, also)
  if (isDone) await told.announce()
  return isDone
}
