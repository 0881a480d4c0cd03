/**
 * Nested values as the provider reads them, such as `metadata[id]=1&lookup_keys[0]=a`. What is undefined is left out; null
 * is empty, which takes a value away. Source: https://docs.stripe.com/api
 */
export function writeForm(values: object): URLSearchParams {
  const form = new URLSearchParams()
  const write = (name: string, value: unknown) => {
    if (typeof value === 'object' && value !== null) {
      for (const [key, each] of Object.entries(value)) write(`${name}[${key}]`, each)
    } else if (value !== undefined) {
      form.append(name, value === null ? '' : String(value))
    }
  }
  for (const [name, value] of Object.entries(values)) write(name, value)
  return form
}
