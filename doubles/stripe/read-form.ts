import { refuseParameter } from './refuse.ts'

/** What a form says before it is known what its parts should be: texts, and parts by their names or numbers. */
export type Form = { [key: string]: string | Form }

/** A form with brackets: `a[b]=1`, `a[0]=x`, `a[]=x`. docs.stripe.com/api (form-encoded bodies) */
export function readForm(pairs: URLSearchParams): Form {
  const form: Form = Object.create(null)
  for (const [name, value] of pairs) {
    const keys = [...name.matchAll(/^[^[\]]+|\[([^[\]]*)\]/g)].map((match) => match[1] ?? match[0])
    if (keys.length === 0) throw refuseParameter(`Invalid parameter name: ${name}`, name)
    put(form, keys, value)
  }
  return form
}

function put(form: Form, [key = '', ...rest]: readonly string[], value: string): void {
  const name = key === '' ? String(Object.keys(form).length) : key
  if (rest.length === 0) {
    form[name] = value
    return
  }
  const inner = form[name]
  const part: Form = typeof inner === 'object' ? inner : Object.create(null)
  form[name] = part
  put(part, rest, value)
}

/** A JSON body as the form that says the same: v2 has the same checks. docs.stripe.com/api-v2-overview */
export function readJson(body: string): URLSearchParams {
  const form = new URLSearchParams()
  const write = (name: string, value: unknown) => {
    if (typeof value === 'object' && value !== null)
      for (const [key, one] of Object.entries(value)) write(name ? `${name}[${key}]` : key, one)
    else form.append(name, value === null ? '' : String(value))
  }
  write('', parsed(body))
  return form
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    throw refuseParameter('The request body is not valid JSON.', undefined)
  }
}
