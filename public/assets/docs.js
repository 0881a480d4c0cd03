// @ts-check
/*
 * The documentation can be read without this. With it, samples can be copied and contain the reader's test key, and are shown in
 * one language.
 */
// Over plain http, browsers give no clipboard.
for (const sample of navigator.clipboard ? document.querySelectorAll('.doc figure') : []) {
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

/*
 * A test key that the reader types is in the samples of this tab: no answer of the service has it, and nothing is sent. A live
 * key is neither shown nor kept.
 */
const KEY = 'hf_docs_key'
const IS_TEST_KEY = /^hf_test_[\w-]{8,100}$/
/** In a sample: the variable of a shell, or the beginning of a key. */
const PLACE = /\$HOLDFAST_KEY\b|hf_test_…/g
const blanks = [...document.querySelectorAll('.doc figure code')].flatMap((code) => {
  const text = code.textContent ?? ''
  return text.search(PLACE) < 0 ? [] : [{ code, text }]
})

const asking = document.querySelector('[data-doc-key]')
const field = asking?.querySelector('input')
const says = asking?.querySelector('[role="status"]')
if (asking instanceof HTMLFormElement && field && says && blanks.length > 0) {
  const usual = [...says.childNodes]
  /** @param {string} key a test key, or nothing */
  const fill = (key) => {
    for (const { code, text } of blanks) code.textContent = key ? text.replaceAll(PLACE, key) : text
    try {
      if (key) sessionStorage.setItem(KEY, key)
      else sessionStorage.removeItem(KEY)
    } catch {
      // Then it lives no longer than the page.
    }
  }
  const take = () => {
    const typed = field.value.trim()
    const isLive = typed.startsWith('hf_live_')
    const isWrong = typed !== '' && !IS_TEST_KEY.test(typed)
    if (isLive) field.value = ''
    fill(isWrong ? '' : typed)
    field.setAttribute('aria-invalid', String(isWrong))
    if (isLive) says.textContent = 'That is a live key. Samples change data, so use a test key.'
    else if (isWrong) says.textContent = 'A test key begins with hf_test_.'
    else says.replaceChildren(...usual)
  }
  asking.addEventListener('submit', (event) => event.preventDefault())
  field.addEventListener('input', take)
  try {
    field.value = sessionStorage.getItem(KEY) ?? ''
  } catch {
    // Then it is typed again.
  }
  take()
  asking.hidden = false
}

const LANGUAGES = new Map([
  ['sh', 'curl'],
  ['ts', 'TypeScript'],
  ['py', 'Python'],
])
const CHOSEN = 'hf_docs_language'
const fileOf = (/** @type {Element | null} */ figure) =>
  /^(.+)\.(\w+)$/.exec(figure?.querySelector('figcaption')?.textContent ?? '')

/** Samples of one name beside each other are one sample in several languages; the one that is chosen is shown everywhere. */
/** @type {((ending: string) => void)[]} */
const choices = []
for (const first of document.querySelectorAll('.doc figure')) {
  const of = fileOf(first)?.[1]
  if (of === undefined || fileOf(first.previousElementSibling)?.[1] === of) continue
  const figures = new Map()
  for (
    let next = /** @type {Element | null} */ (first);
    fileOf(next)?.[1] === of;
    next = next?.nextElementSibling ?? null
  ) {
    figures.set(fileOf(next)?.[2], next)
  }
  if (figures.size < 2) continue
  const tabs = document.createElement('div')
  tabs.className = 'doc-tabs'
  tabs.setAttribute('role', 'tablist')
  for (const ending of figures.keys()) {
    const tab = document.createElement('button')
    tab.type = 'button'
    tab.setAttribute('role', 'tab')
    tab.textContent = LANGUAGES.get(ending) ?? ending
    tab.addEventListener('click', () => {
      for (const choose of choices) choose(ending)
      try {
        localStorage.setItem(CHOSEN, ending)
      } catch {
        // Then it is chosen again on the next page.
      }
    })
    tabs.append(tab)
  }
  tabs.addEventListener('keydown', ({ key }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key]
    const all = [...tabs.children].map((one) => /** @type {HTMLElement} */ (one))
    const next =
      step && all.at((all.indexOf(/** @type {any} */ (document.activeElement)) + step) % all.length)
    if (!next) return
    next.click()
    next.focus()
  })
  first.before(tabs)
  const choose = (/** @type {string} */ ending) => {
    if (!figures.has(ending)) return
    for (const [at, [each, figure]] of [...figures].entries()) {
      figure.hidden = each !== ending
      const tab = tabs.children[at]
      tab?.setAttribute('aria-selected', String(each === ending))
      tab?.setAttribute('tabindex', each === ending ? '0' : '-1')
    }
  }
  choose([...figures.keys()][0])
  choices.push(choose)
}
try {
  for (const choose of choices) choose(localStorage.getItem(CHOSEN) ?? '')
} catch {
  // Then the first one is shown.
}
