import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/client.ts'
import { signInCodes } from '../../platform/db/schema/console.ts'
import { emails } from '../../platform/db/schema/mail.ts'

/** The sign-in that an email is about, for the batch that claims the email. */
export function selectSignInOfEmail(db: Db, emailId: string) {
  return db
    .select({
      id: signInCodes.id,
      locale: signInCodes.locale,
      path: signInCodes.path,
      expiresAt: signInCodes.expiresAt,
      isUsed: sql<boolean>`${signInCodes.usedAt} IS NOT NULL`.mapWith(Boolean).as('is_used'),
      isMember: sql<boolean>`EXISTS (SELECT 1 FROM members WHERE lower(user_email) = +${signInCodes.email})`
        .mapWith(Boolean)
        .as('is_member'),
    })
    .from(emails)
    .innerJoin(signInCodes, eq(signInCodes.id, emails.subjectId))
    .where(and(eq(emails.id, emailId), eq(emails.kind, 'sign_in')))
}
