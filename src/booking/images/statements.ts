import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Db, Statement } from '../../platform/db/client.ts'
import { type ImageRow, images } from '../../platform/db/schema/images.ts'
import { members, organizations } from '../../platform/db/schema/organizations.ts'
import { AT } from './address.ts'
import type { Use } from './bucket.ts'

function isShownAs({ organizationId, use }: Use) {
  return and(eq(images.organizationId, organizationId), eq(images.use, use))
}

/** In place of what was shown there. */
export function putImageRow(db: Db, row: ImageRow): Statement {
  const { hash, format, content, createdAt } = row
  return db
    .insert(images)
    .values(row)
    .onConflictDoUpdate({
      target: [images.organizationId, images.use],
      set: { hash, format, content, createdAt },
    })
}

export function deleteImageRow(db: Db, use: Use): Statement {
  return db.delete(images).where(isShownAs(use))
}

export function selectImageHash(db: Db, use: Use) {
  return db.select({ hash: images.hash }).from(images).where(isShownAs(use))
}

/** Several may have the same bytes: any of them serves. */
export function selectImage(db: Db, hash: string) {
  return db.select().from(images).where(eq(images.hash, hash)).limit(1)
}

/** Uploaded images of an import, which its old place showed, are found at this one. What is shown already counts as no change. */
export function moveAddresses(db: Db, organizationId: string, base: string): Statement[] {
  const moved = (url: SQLiteColumn, use: SQL) => {
    const here = sql<string>`${base} || substr(${url}, instr(${url}, ${AT}))`
    const isUploaded = sql`SELECT 1 FROM ${images} WHERE ${images.organizationId} = ${organizationId} AND ${images.use} = ${use}
      AND instr(${url}, ${AT} || ${images.hash}) > 0`
    return [here, sql`${url} <> ${here} AND EXISTS (${isUploaded})`] as const
  }
  const [logoUrl, isLogo] = moved(organizations.logoUrl, sql`'logo'`)
  const [logoDarkUrl, isDark] = moved(organizations.logoDarkUrl, sql`'logo-dark'`)
  const [avatarUrl, isAvatar] = moved(members.avatarUrl, sql`${members.id}`)
  const isIt = eq(organizations.id, organizationId)
  return [
    db.update(organizations).set({ logoUrl }).where(and(isIt, isLogo)),
    db.update(organizations).set({ logoDarkUrl }).where(and(isIt, isDark)),
    db
      .update(members)
      .set({ avatarUrl })
      .where(and(eq(members.organizationId, organizationId), isAvatar)),
  ]
}
