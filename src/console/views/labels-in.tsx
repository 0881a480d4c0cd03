import type { ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'

const LABEL =
  /<label for="([^"]+)"[^>]*>([^<]+)|<(?:fieldset|details)[^>]* id="([^"]+)"[^>]*><(?:legend|summary)[^>]*>([^<]+)/g
const CHARACTERS: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&quot;': '"' }

/**
 * The labels of a form's fields by id, in their order. The summary of errors comes before the fields, which are rendered for it
 * alone here: once more, and only after an error.
 */
export function labelsIn(children: ComponentChildren): Readonly<Record<string, string>> {
  const found = renderToString(<div>{children}</div>).matchAll(LABEL)
  return Object.fromEntries(
    [...found].map(([, field, label, group, legend]) => [
      field ?? group!,
      (label ?? legend!).replace(/&(?:amp|lt|quot);/g, (one) => CHARACTERS[one]!),
    ]),
  )
}

/** The errors in the order of the fields. */
export function inOrder(
  errors: Readonly<Record<string, string>>,
  labels: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const ids = Object.keys(labels)
  const placeOf = (id: string) => (ids.includes(id) ? ids.indexOf(id) : ids.length)
  return Object.fromEntries(Object.entries(errors).sort(([a], [b]) => placeOf(a) - placeOf(b)))
}
