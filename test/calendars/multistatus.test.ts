import { describe, expect, it } from 'vitest'
import { parseXml, readMultistatus, textAt } from '../../src/calendars/caldav/multistatus.ts'
import { TooLongAnswer } from '../../src/calendars/client/read-body.ts'

const props = (inner: string) =>
  readMultistatus(
    `<?xml version="1.0"?>\n<D:multistatus xmlns:D="DAV:"><D:response><D:href>/a.ics</D:href><D:propstat><D:prop>${inner}</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response></D:multistatus>`,
  ).resources[0]!.props

const note = (written: string) => textAt(props(`<X:note xmlns:X="x">${written}</X:note>`), 'note')

describe('what a server writes in XML', () => {
  it.each([
    ['plain', 'plain'],
    ['&lt;b&gt; &amp; &quot;&apos;', `<b> & "'`],
    ['&#65;&#x1F600;&#x000042;', 'A😀B'],
    ['<![CDATA[one & &#65; two]]>', 'one & &#65; two'],
    ['&nbsp;stays &unknown;', '&nbsp;stays &unknown;'],
    ['<!-- nothing -->x<!-- a -- b -->', 'x'],
    ['a ]]> b', 'a ]]> b'],
    ['a&#xD83D;&#xDE00;b', 'a😀b'],
  ])('%j is read as %j', async (written, read) => {
    expect(note(written)).toBe(read)
  })

  it('takes the properties that were found, at any position', () => {
    const found = readMultistatus(
      `<multistatus xmlns="DAV:"><response><href>/a.ics</href>
        <propstat><prop><getetag>"1"</getetag></prop><status>HTTP/1.1 200 OK</status></propstat>
        <propstat><prop><other>lost</other></prop><status>HTTP/1.1 404 Not Found</status></propstat>
        <propstat><prop><C:calendar-data xmlns:C="c">data</C:calendar-data></prop><status>HTTP/1.1 200 OK</status></propstat>
      </response><sync-token>t-1</sync-token></multistatus>`,
    )
    expect(found).toMatchObject({ syncToken: 't-1', resources: [{ href: '/a.ics', status: null }] })
    const read = ['getetag', 'other', 'calendar-data'].map((name) => textAt(found.resources[0]!.props, name))
    expect(read).toEqual(['"1"', null, 'data'])
  })

  it.each([
    ['is not closed', '<multistatus>'],
    ['is closed by another', '<a><b></a></b>'],
    ['is opened again and again', '<a>'.repeat(400_000)],
    ['holds a bare ampersand', '<a>A & B</a>'],
    ['says an attribute twice', '<a b="1" b="2"/>'],
    ['ends in a section', `<a>${'<![CDATA['.repeat(100_000)}`],
    ['declares a type', '<!DOCTYPE a><a/>'],
    ['is empty', ''],
  ])('is refused if it %s', (_, text) => {
    expect(() => parseXml(text)).toThrow('The server answered with XML that cannot be read.')
  })

  it('is distinguished from a web page', () => {
    expect(() => parseXml('<!doctype html><html></html>')).toThrow('web page')
  })

  it.each([
    ['line ends', '\r'],
    ['references', '&#10;'],
    ['spaces', ' '],
  ])('of a million %s is read', (_, piece) => {
    expect(parseXml(`<a>${piece.repeat(1_000_000)}</a>`).name).toBe('a')
  })

  it.each([
    ['comments', '<!---->'],
    ['sections', '<![CDATA[]]>'],
    ['elements', '<a/>'],
  ])('is read with 400,000 %s, and with a million is more than fits into memory', (_, piece) => {
    expect(parseXml(`<a>${piece.repeat(400_000)}</a>`).name).toBe('a')
    expect(() => parseXml(`<a>${piece.repeat(1_000_000)}</a>`)).toThrow(TooLongAnswer)
  })
})
