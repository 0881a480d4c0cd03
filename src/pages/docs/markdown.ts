/** The part of Markdown that the guides are written in, as HTML. They are our own words, yet everything is escaped. */
export function htmlOf(markdown: string): string {
  const parts = markdown.split(/^```(.*)\n([\s\S]*?)^```$/gm)
  let html = ''
  for (let at = 0; at < parts.length; at += 3) {
    html += prose(parts[at]!)
    if (at + 2 < parts.length) html += sample(parts[at + 1]!, parts[at + 2]!)
  }
  return html
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`)
}

/** A link target of a heading. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^a-z0-9_.]+/g, '-')
    .replace(/^-|-$/g, '')
}

/** `ts first-booking.ts` names the language and the file. */
function sample(info: string, code: string): string {
  const [, file] = info.split(' ')
  const name = file ? `<figcaption>${escaped(file)}</figcaption>` : ''
  return `<figure>${name}<pre tabindex="0"><code>${escaped(code)}</code></pre></figure>`
}

function prose(text: string): string {
  const blocks = text.split(/\n{2,}/).map((block) => block.trim())
  return blocks.map((block) => (block === '' ? '' : blockOf(block))).join('')
}

function blockOf(block: string): string {
  const heading = /^(#{1,3}) (.*)$/.exec(block)
  if (heading) {
    const [, marks, words] = heading
    return `<h${marks!.length} id="${anchorOf(words!)}">${inline(words!)}</h${marks!.length}>`
  }
  if (block.startsWith('- ')) return list('ul', block.split(/\n- /), /^- /)
  if (block.startsWith('1. ')) return list('ol', block.split(/\n(?=\d+\. )/), /^\d+\. /)
  return `<p>${inline(block)}</p>`
}

function list(tag: 'ul' | 'ol', items: readonly string[], mark: RegExp): string {
  return `<${tag}>${items.map((item) => `<li>${inline(item.replace(mark, ''))}</li>`).join('')}</${tag}>`
}

function inline(text: string): string {
  return escaped(text)
    .replace(/`([^`]+)`/g, (_, code) => `<code>${code}</code>`)
    .replace(/\*\*([^*]+)\*\*/g, (_, words) => `<strong>${words}</strong>`)
    .replace(/!\[([^\]]+)\]\(([^)\s]+)\)/g, (_, words, from) => `<img src="${from}" alt="${words}">`)
    .replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, (_, words, to) => `<a href="${to}">${words}</a>`)
}
