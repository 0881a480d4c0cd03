import { env } from 'cloudflare:workers'
import { createEventType, createOrganization, type Organization } from './factories.ts'

type Listing = {
  readonly organization: Organization
  readonly slug: string
  readonly path: string
  readonly id: string
}

/** An organization with so many event types more, in 20 groups and some without one. */
export async function manyListed(count: number): Promise<Listing> {
  const organization = await createOrganization({ tier: 'scale' })
  const { id } = await createEventType(organization.liveKey, { booking_page_enabled: true, title: 'Aaa' })
  const columns = (
    await env.DB.prepare("SELECT name FROM pragma_table_info('event_types')").all<{ name: string }>()
  ).results.map(({ name }) => name)
  const own: Readonly<Record<string, string>> = {
    id: "e.id || '-' || at",
    slug: "'type-' || at",
    title: "'Consultation ' || (at * 7919 % 100003)",
    description:
      "'What we talk about in this meeting, and what you should bring along. It is about ' || at || '.'",
    position: 'at % 5',
    group_name: "CASE WHEN at % 21 > 0 THEN 'Department ' || (at % 21) END",
  }
  await env.DB.prepare(
    `INSERT INTO event_types (${columns}) WITH RECURSIVE n(at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < ?2)
     SELECT ${columns.map((name) => own[name] ?? `e.${name}`)} FROM event_types e, n WHERE e.id = ?1`,
  )
    .bind(id, count)
    .run()
  const { slug } = organization
  return { organization, slug, id, path: `/book/${slug}` }
}
