/** A short text that changes with any of `parts`, in whichever order they come. */
export async function digestOf(parts: readonly string[]): Promise<string> {
  const bytes = new TextEncoder().encode([...parts].sort().join('\n'))
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return btoa(String.fromCharCode(...hash.subarray(0, 18)))
}
