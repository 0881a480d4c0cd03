export type Params = { [name: string]: string | Params | (string | Params)[] }

/** `a[b]=1&c[0][d]=2&e[]=3`, as the provider's clients write objects and lists, as an object again. */
export function decodeForm(text: string): Params {
  const root: Params = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split(/\[|\]\[|\]$/).filter((part, at, parts) => part !== '' || at < parts.length - 1)
    let here: any = root
    for (const [at, part] of path.entries()) {
      const key = Array.isArray(here) && part === '' ? here.length : part
      if (at === path.length - 1) here[key] = value
      else {
        here[key] ??= /^\d*$/.test(path[at + 1]!) ? [] : {}
        here = here[key]
      }
    }
  }
  return root
}
