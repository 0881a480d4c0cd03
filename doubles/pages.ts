import type { Reply } from './world.ts'

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

export function htmlPage(status: number, title: string, content: string): Reply {
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title>`
  return {
    status,
    html: `<!doctype html><html lang="en"><head>${head}</head><body><main><h1>${escapeHtml(title)}</h1>${content}</main></body></html>`,
  }
}

/** Fields that keep the parameters of a request in a form, except the named ones. */
export function hiddenFields(
  parameters: Iterable<readonly [string, string]>,
  except: readonly string[] = [],
): string {
  return [...parameters]
    .filter(([name]) => !except.includes(name))
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
    .join('')
}
