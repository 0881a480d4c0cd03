import { wallTimeOf, zoneTable } from '../../core/local-time.ts'

/** The place before white space or a sign that would begin a formula, at the beginning of a cell. */
const FORMULA =
  /^(?=[\t\r])|(?<=(?:^|[;\t\r\n])["\s\p{Cc}\p{Default_Ignorable_Code_Point}]*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\u2212])/gu

/** It computes nothing, and with a mark before it nobody could dial or import it. */
const PHONE = /^\+\d{7,15}$/

/** How many are read at once. */
export const AT_ONCE = 1_000

/** All pages of a list, one after another; `next` says where the next one begins. */
export async function* allPages<T, After>(
  read: (after: After | null) => Promise<{ readonly data: readonly T[]; readonly next: After | null }>,
): AsyncGenerator<readonly T[]> {
  for (let after: After | null = null; ; ) {
    const { data, next } = await read(after)
    yield data
    if (next === null) return
    after = next
  }
}

/** Lines of cells, page by page. */
export type Table = {
  readonly head: string
  readonly pages: AsyncGenerator<readonly (readonly string[])[]>
}

/** A file that is made while it is taken. What is refused is refused before it begins. */
export async function csvOf({ head, pages }: Table): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder()
  let page = await pages.next()
  // Spreadsheets take the text for UTF-8 by the mark at its beginning.
  let begun = `\ufeff${head}\r\n`
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const lines = page.done ? [] : page.value.map((cells) => `${cells.map(cellOf).join(',')}\r\n`)
    controller.enqueue(encoder.encode(begun + lines.join('')))
    begun = ''
    if (!page.done) page = await pages.next()
    if (page.done) controller.close()
  }
  return new ReadableStream({ pull }, { highWaterMark: 0 })
}

/**
 * Spreadsheets run a cell that begins like a formula, and names may be anybody's. White space may stand before the sign, and some
 * take its wide forms for it. Where commas are for decimals, a cell begins behind each semicolon, whatever quotes are around it.
 */
function cellOf(text: string): string {
  const harmless = PHONE.test(text) ? text : text.replace(FORMULA, "'")
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** As spreadsheets read a moment. */
export function localCell(instant: string, zone: string): string {
  const at = Date.parse(instant)
  const wall = wallTimeOf(zoneTable(zone, at, at + 1), at)
  return new Date(wall).toISOString().slice(0, 16).replace('T', ' ')
}
