import { describe, expect, it } from 'vitest'
import { refusePublicUrl } from '../../src/platform/http/public-url.ts'
import { problemText, reasonOf } from '../../src/platform/reasons/reason.ts'

const PUBLIC = [
  'https://example.com',
  'https://example.com/logo.png?size=2#top',
  'https://cdn.example.co.uk:8443/a',
  'https://example.com./logo.png',
  'HTTPS://EXAMPLE.COM/a',
  'https://xn--bcher-kva.example/a',
  'https://bücher.example/a',
  'https://1.example.com',
  'https://127.0.0.1.example.com',
  'https://localhost.example.com',
  'https://internal.example.com',
  'https://notlocal.com',
  'https://example.com/@path',
  'https://example.com/?user@host',
]

const NO_HTTPS = [
  '',
  'example.com',
  '//example.com',
  '/logo.png',
  'http://example.com',
  'ftp://example.com',
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'https://',
  'https://exa mple.com',
  ' https://example.com',
  'ht\ntps://example.com',
  'https://example.com/\u0000',
  'https://exam\u00a0ple.com',
  // A page of ours would take these for paths of its own.
  'https:example.com/logo.png',
  'https:/example.com/logo.png',
  'https:\\\\example.com\\logo.png',
]

const CREDENTIALS = [
  'https://user@example.com',
  'https://user:password@example.com',
  'https://:password@example.com',
  'https://@example.com',
  'https://:@example.com',
  'https:\\\\user@example.com',
  'https://example.com@127.0.0.1',
]

const IP_LITERALS = [
  'https://127.0.0.1',
  'https://127.0.0.1./',
  'https://8.8.8.8',
  'https://2130706433',
  'https://0x7f000001',
  'https://0x7F.1',
  'https://017700000001',
  'https://0177.0.0.1',
  'https://127.1',
  'https://127.0.1',
  'https://0',
  'https://0.0.0.0',
  'https://169.254.169.254/latest/meta-data',
  'https://%31%32%37.0.0.1',
  'https://１２７.0.0.1',
  'https://127。0。0。1',
  'https://①②⑦.0.0.1',
  'https://[::1]',
  'https://[::]',
  'https://[2001:db8::1]:8443/a',
  'https://[::ffff:127.0.0.1]',
  'https://[::ffff:7f00:1]',
  'https://[0:0:0:0:0:ffff:127.0.0.1]',
  'https://[fe80::1]',
  'https://[64:ff9b::7f00:1]',
]

const PRIVATE_NAMES = [
  'https://localhost',
  'https://localhost.',
  'https://LOCALHOST:8443',
  'https://intranet',
  'https://intranet.',
  'https://com',
  'https://app.localhost',
  'https://app.localhost.',
  'https://printer.local',
  'https://printer.LOCAL',
  'https://ⓛocalhost',
  'https://metadata.google.internal',
  'https://metadata.google.internal.',
  'https://a.b.c.internal',
  'https://example.com..',
  'https://example..com',
  'https://.example.com',
  'https://.',
]

describe('a URL that others must be able to reach', () => {
  it.each(PUBLIC)('may be %s', (url) => {
    expect(refusePublicUrl(url, false)).toBeNull()
  })

  it.each([...NO_HTTPS, ...CREDENTIALS, ...IP_LITERALS, ...PRIVATE_NAMES])('may not be %s', (url) => {
    expect(problemText(refusePublicUrl(url, false)!)).toMatch(/^[A-Z].*\.$/)
  })

  it.each(IP_LITERALS)('is refused as an address: %s', (url) => {
    expect(reasonOf(refusePublicUrl(url, false)!)).toBe('ip_address')
  })
})

describe('a URL if private hosts are allowed', () => {
  it.each([...IP_LITERALS, 'http://127.0.0.1:8787/a', 'http://localhost', 'https://example.com'])(
    'may be %s',
    (url) => {
      expect(refusePublicUrl(url, true)).toBeNull()
    },
  )

  it.each([...CREDENTIALS, 'ftp://localhost', 'javascript:alert(1)', 'nonsense', 'https://a b'])(
    'still may not be %s',
    (url) => {
      expect(problemText(refusePublicUrl(url, true)!)).toMatch(/^[A-Z].*\.$/)
    },
  )
})
