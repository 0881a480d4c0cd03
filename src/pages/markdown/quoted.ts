type Said = readonly [name: string, text: string | null]

/** Everything that some program takes for the end of a line. */
const LINE_END = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/

/** What the organization wrote is quoted, so that nobody takes it for our words. */
export function quoted(intro: string, said: readonly Said[]): string {
  const lines = said.flatMap(([name, text]) =>
    text ? text.split(LINE_END).map((line, at) => `> ${at === 0 ? `${name}: ` : ''}${literal(line)}`) : [],
  )
  return `${intro}\n\n${lines.join('\n>\n')}`
}

/** Characters without a meaning of their own in Markdown. */
function literal(line: string): string {
  return line
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .replace(/[\\`*_{}[\]<>#|~!&]/g, (sign) => `\\${sign}`)
}
