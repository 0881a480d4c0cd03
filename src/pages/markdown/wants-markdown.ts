import type { Handler } from '../page.ts'

/** A page that answers with its Markdown version when the client prefers it (RFC 9110, section 12.5.1). */
export function withMarkdown(page: Handler, twin: Handler): Handler {
  return (visit, params) =>
    wantsMarkdown(visit.ctx.request.headers.get('accept')) ? twin(visit, params) : page(visit, params)
}

/** Only who names Markdown wants it: browsers take anything, and programs that say nothing get what people get. */
function wantsMarkdown(accept: string | null): boolean {
  const wanted = qualityOf('text/markdown', accept ?? '')
  return wanted > 0 && wanted >= qualityOf('text/html', accept ?? '')
}

function qualityOf(type: string, accept: string): number {
  for (const part of accept.toLowerCase().split(',')) {
    const [name, ...parameters] = part.split(';').map((one) => one.trim())
    if (name !== type) continue
    const quality = parameters.map((one) => /^q=([\d.]+)$/.exec(one)?.[1]).find((one) => one !== undefined)
    return quality === undefined ? 1 : Number(quality)
  }
  return 0
}
