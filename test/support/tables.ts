import { env } from 'cloudflare:workers'

/** All rows that an organization has in a table. */
export async function tableOf(table: string, organizationId: string) {
  const { results } = await env.DB.prepare(`SELECT * FROM ${table} WHERE organization_id = ?`)
    .bind(organizationId)
    .all()
  return results
}
