import type { GivenUp } from '../../booking/hosts/of-member/statements.ts'
import type { Env } from '../../env.ts'
import { recordEvent } from '../../outbox/events/statements.ts'
import { enqueueEmail } from '../../outbox/mail/enqueue-email.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import type { Actor } from '../../platform/db/schema/bookings.ts'
import { realNow } from '../../platform/limits/clock.ts'
import { type Message, wakeQueue } from '../../platform/queue/messages.ts'
import { presentMember } from './present.ts'
import { type MemberRow, selectOwnerAndSender } from './queries.ts'
import { unassignedEmail } from './unassigned-email.ts'

type Telling = { readonly statements: readonly Statement[]; readonly announce: () => Promise<void> }

/**
 * The events of both modes about a member who was removed, and the email to the owner if bookings need a host. Owners who removed
 * the member get none.
 */
export async function tellOfLeaving(
  env: Env,
  db: Db,
  actor: Actor | undefined,
  member: MemberRow,
  given: readonly GivenUp[],
): Promise<Telling> {
  const { organizationId } = member
  const data = presentMember({ ...member, defaultScheduleId: null })
  const unassigned = given.filter(({ is_assigned, heir }) => is_assigned && heir === null)
  const sides = await Promise.all(
    [false, true].map(async (isTest) => {
      const tenant = { organizationId, isTest }
      const theirs = unassigned.filter(({ is_test }) => Boolean(is_test) === isTest)
      const beside = { unassigned: theirs.map(({ id }) => id) }
      const event = recordEvent(db, tenant, { kind: 'member.removed', data, revision: 1, beside })
      const told: Message = { type: 'event', eventId: event.id }
      const [about] = theirs.length === 0 ? [] : await selectOwnerAndSender(db, organizationId)
      const [owner] = about?.people ?? []
      if (!about || !owner?.email || owner.id === actor?.id)
        return { statements: event.statements, messages: [told] }
      const email = unassignedEmail(env, { member, unassigned: theirs, sender: about.sender }, owner)
      const letter = { onceKey: `${event.id}/unassigned`, ...email }
      const mail = await enqueueEmail(env, db, tenant, letter, { now: realNow(), isCounted: false })
      return {
        statements: [...event.statements, ...mail.statements],
        messages: [told, ...mail.messages],
      }
    }),
  )
  return {
    statements: sides.flatMap(({ statements }) => statements),
    announce: () => wakeQueue(env, ...sides.flatMap(({ messages }) => messages)),
  }
}
