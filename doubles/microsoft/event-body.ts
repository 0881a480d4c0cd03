/** Bodies are whole HTML documents unless text is preferred, however they were sent. learn.microsoft.com/graph/api/event-get */

type Body = { readonly contentType: 'html' | 'text'; readonly content: string }

const HEAD = '<meta http-equiv="Content-Type" content="text/html; charset=utf-8">'

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Without a document around it. */
export const innerHtmlOf = ({ contentType, content }: Body): string =>
  contentType === 'html' ? content : escaped(content).replaceAll(/\r?\n/g, '<br>\r\n')

export function htmlOf(body: Body): string {
  if (body.content === '') return ''
  const inner = innerHtmlOf(body)
  if (/<html[\s>]/i.test(inner)) return inner
  return `<html>\r\n<head>\r\n${HEAD}\r\n</head>\r\n<body>\r\n${inner}\r\n</body>\r\n</html>\r\n`
}

export function textOf({ contentType, content }: Body): string {
  if (contentType === 'text') return content
  return content
    .replaceAll(/<head[\s\S]*?<\/head>/gi, '')
    .replaceAll(/<(style|script)[\s\S]*?<\/\1>/gi, '')
    .replaceAll(/<a\s[^>]*href="([^"]*)"[^>]*>([\s\S]*?)<\/a>/gi, '$2<$1>')
    .replaceAll(/<br\s*\/?>\s*|<\/(p|div|li|tr|h\d)>\s*/gi, '\r\n')
    .replaceAll(/<(?!https?:)[^>]+>/gi, '')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .trim()
}

/** The first 255 characters of its text. */
export const previewOf = (body: Body): string => textOf(body).slice(0, 255)
