/** What the service at `base` answers as JSON, null where it answers nothing; throws where it refuses. */
export async function askService(
  base: string,
  method: string,
  path: string,
  body: unknown = null,
  key = '',
  headers: Readonly<Record<string, string>> = {},
): Promise<any> {
  const response = await fetch(new URL(path, base), {
    method,
    headers: {
      'Content-Type': 'application/json',
      ...(key && { Authorization: `Bearer ${key}` }),
      ...headers,
    },
    ...(body !== null && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return text === '' ? null : JSON.parse(text)
}
