// @ts-check
/*
 * The API reference: its viewer is dark where the browser is, and the calls are listed in the menu of the documentation instead of
 * one of the viewer's own.
 */
const dark = matchMedia('(prefers-color-scheme: dark)')
const paint = () => {
  document.documentElement.dataset.theme = dark.matches ? 'dark' : 'light'
}
paint()
dark.addEventListener('change', paint)

/** @typedef {{ href: string, words: string, method?: string }} Item */

const menu = document.querySelector('[data-calls]')

async function listCalls() {
  const { paths, webhooks = {}, components } = await (await fetch('/v1/openapi.json')).json()
  /** @type {Map<string, Item[]>} */
  const groups = new Map()
  const put = (/** @type {string} */ group, /** @type {Item} */ item) => {
    groups.set(group, [...(groups.get(group) ?? []), item])
  }
  for (const methods of Object.values(paths)) {
    for (const [method, { operationId, summary, tags = [] }] of Object.entries(methods)) {
      put(tags[0] ?? 'Pages', { href: `#/operations/${operationId}`, words: summary, method })
    }
  }
  for (const [name, { post }] of Object.entries(webhooks)) {
    put('Webhook messages', { href: `#/webhooks/${post.operationId ?? name}`, words: name })
  }
  for (const name of Object.keys(components.schemas)) {
    put('Schemas', { href: `#/schemas/${name}`, words: name })
  }
  menu?.append(...[...groups].map(([name, items]) => groupOf(name, items)))
}

/** @param {string} name @param {readonly Item[]} items */
function groupOf(name, items) {
  const group = document.createElement('details')
  const summary = document.createElement('summary')
  summary.textContent = name
  const list = document.createElement('ul')
  list.append(
    ...items.map(({ href, words, method }) => {
      const [item, link, kind] = ['li', 'a', 'small'].map((tag) => document.createElement(tag))
      link?.setAttribute('href', href)
      link?.append(words)
      if (method && kind) {
        kind.textContent = method.toUpperCase()
        link?.append(' ', kind)
      }
      if (link) item?.append(link)
      return /** @type {HTMLElement} */ (item)
    }),
  )
  group.append(summary, list)
  return group
}

/** Marks what is shown, and opens its group. */
function markShown() {
  for (const link of menu?.querySelectorAll('a') ?? []) {
    const isShown = link.hash === location.hash
    if (isShown) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
    const group = link.closest('details')
    if (isShown && group) group.open = true
  }
}

listCalls().then(markShown, () => {})
addEventListener('hashchange', () => {
  markShown()
  // A phone shows the menu above the call.
  const whole = menu?.closest('details')
  if (whole) whole.open = false
  scrollTo(0, 0)
})
