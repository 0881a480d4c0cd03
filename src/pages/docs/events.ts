import { EVENTS } from '../../delivery/webhooks/feed/schema.ts'

/** Every kind with its whole payload: the example of the documentation, which samples are made of too. */
export function eventsMarkdown(): string {
  const sections = Object.entries(EVENTS).map(([kind, schema]) => {
    const { description, example } = schema.meta()!
    return `## ${kind}\n\n${description}\n\n\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``
  })
  return `# Events

[Webhooks](/docs/webhooks) send these events, and the feed \`GET /v1/events\` lists them. \`data\` is the changed object as it was then, without tokens. \`sequence\` grows by one with every event of the organization, live and test apart.

${sections.join('\n\n')}
`
}
