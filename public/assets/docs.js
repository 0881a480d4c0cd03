// @ts-check
/*
 * The documentation can be read without this. With it, samples can be copied, the guides can be searched, and the reference is
 * dark where the browser is.
 */
const dark = matchMedia('(prefers-color-scheme: dark)')
if (document.body.classList.contains('reference')) {
  const paint = () => {
    document.documentElement.dataset.theme = dark.matches ? 'dark' : 'light'
  }
  paint()
  dark.addEventListener('change', paint)
}

for (const sample of document.querySelectorAll('.doc figure')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(sample.querySelector('code')?.textContent ?? '')
    button.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 2000)
  })
  sample.append(button)
}

/** @typedef {{ href: string, title: string, text: string }} Section */

/** @type {Promise<Section[]> | null} */
let everything = null

/** All sections of all guides, read when somebody searches. */
function sections() {
  everything ??= read()
  return everything
}

async function read() {
  const names = [...document.querySelectorAll('.doc-menu nav a')].map(
    (one) => /** @type {HTMLAnchorElement} */ (one),
  )
  const guides = names.filter(({ pathname }) => !/reference$/.test(pathname))
  const parts = await Promise.all(
    guides.map(async ({ pathname }) => sectionsOf(pathname, await (await fetch(`${pathname}.md`)).text())),
  )
  return parts.flat()
}

/**
 * @param {string} path
 * @param {string} markdown
 * @returns {Section[]}
 */
function sectionsOf(path, markdown) {
  const title = /^# (.*)$/m.exec(markdown)?.[1] ?? path
  return markdown.split(/^(?=#{1,3} )/m).map((text) => {
    const heading = /^#{1,3} (.*)$/m.exec(text)?.[1] ?? title
    const anchor = heading
      .toLowerCase()
      .replace(/[^a-z0-9_.]+/g, '-')
      .replace(/^-|-$/g, '')
    return { href: `${path}#${anchor}`, title: heading === title ? title : `${title}: ${heading}`, text }
  })
}

const MOST_FOUND = 8
const search = document.querySelector('[data-doc-search]')
if (search instanceof HTMLFormElement) {
  search.hidden = false
  search.addEventListener('submit', (event) => event.preventDefault())
  search.addEventListener('input', async ({ target }) => {
    const words = /** @type {HTMLInputElement} */ (target).value.toLowerCase().split(/\s+/).filter(Boolean)
    const all = words.length === 0 ? [] : await sections()
    const holds = (/** @type {string} */ text) => words.every((word) => text.toLowerCase().includes(word))
    const found = all.filter(({ title, text }) => holds(`${title} ${text}`))
    const ranked = found.sort((a, b) => Number(holds(b.title)) - Number(holds(a.title))).slice(0, MOST_FOUND)
    const nothing = words.length > 0 && ranked.length === 0
    search.querySelector('ul')?.replaceChildren(...ranked.map(itemOf), ...(nothing ? [itemOf(null)] : []))
  })
}

/** @param {Section | null} section */
function itemOf(section) {
  const item = document.createElement('li')
  if (section === null) {
    item.textContent = 'Nothing found'
    return item
  }
  const link = document.createElement('a')
  link.href = section.href
  link.textContent = section.title
  item.append(link)
  return item
}
