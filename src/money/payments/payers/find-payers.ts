import type { Env } from '../../../env.ts'
import type { Tenant } from '../../../platform/auth/caller.ts'
import { openDb } from '../../../platform/db/client.ts'
import { PaymentQuery } from '../schema.ts'
import { selectPayer, selectPayersOnPage } from './queries.ts'

/** The payer, what is paid for, and until when (milliseconds since 1970). The payment itself does not hold the deadline. */
export type Payer = {
  readonly id: string
  readonly expiresAt: number
  readonly inviteeName: string
  readonly startTime: number
  readonly endTime: number
  readonly title: string
}

/** Of the payments that a page of the list holds, in no order. */
export async function findPayersOnPage(
  env: Env,
  tenant: Tenant,
  query: Readonly<Record<string, string>>,
): Promise<readonly Payer[]> {
  const db = openDb(env, 'decide')
  const page = PaymentQuery.safeParse(query)
  if (!page.success) return []
  const [rows] = await db.batch([selectPayersOnPage(db, tenant, page.data)])
  return rows
}

/** Null where the tenant has no such payment. */
export async function findPayer(env: Env, tenant: Tenant, id: string): Promise<Payer | null> {
  const db = openDb(env, 'decide')
  const [[row]] = await db.batch([selectPayer(db, tenant, id)])
  return row ?? null
}
