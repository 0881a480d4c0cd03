/** What `embed.js` of a deployment gives to the window of a site. */
export type Embed = {
  readonly service: string
  /** Opens a page over the site; its events begin at `teller`. Whether there is such an address. */
  open(options: object, teller: Element): boolean
  /** Shows a page inside an element. What it answers takes the page away again. */
  show(element: HTMLElement, options: object): (() => void) | null
}

const loading = new Map<string, Promise<Embed>>()

/**
 * Loads `embed.js` once, however many components ask.
 *
 * @param baseUrl where Holdfast is, such as `https://book.example.com`
 * @throws Error where the script cannot be had, or the site already has that of another deployment
 */
export function loadEmbed(baseUrl: string): Promise<Embed> {
  const { origin } = new URL(baseUrl)
  const known = loading.get(origin)
  if (known) return known
  const begun = load(origin)
  loading.set(origin, begun)
  // Whoever asks after a failure tries again.
  begun.catch(() => loading.delete(origin))
  return begun
}

async function load(origin: string): Promise<Embed> {
  const site = window as { Holdfast?: Embed }
  if (!site.Holdfast) await addScript(`${origin}/embed.js`)
  if (site.Holdfast?.service === origin) return site.Holdfast
  throw new Error(
    `This site shows the booking pages of ${site.Holdfast?.service ?? 'nobody'}, not of ${origin}.`,
  )
}

function addScript(src: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement('script'), { src, async: true })
    script.onload = () => resolve()
    script.onerror = () => {
      script.remove()
      reject(new Error(`${src} cannot be loaded.`))
    }
    document.head.append(script)
  })
}
