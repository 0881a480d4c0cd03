import { describe, expect, it } from 'vitest'
import { challengesIn } from '../../src/calendars/caldav/challenges.ts'
import { digestAuthorization, strongestDigest } from '../../src/calendars/caldav/digest.ts'
import { SignIn, type SignInScheme } from '../../src/calendars/caldav/sign-in.ts'
import { CalendarError } from '../../src/platform/icalendar/calendar-error.ts'
import { openWorld } from '../support/world.ts'

const MUFASA = {
  username: 'Mufasa',
  password: 'Circle of Life',
  method: 'GET',
  uri: '/dir/index.html',
  cnonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
  count: 1,
}
const REALM = 'realm="http-auth@example.org", qop="auth, auth-int"'
const NONCE = 'nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v"'
const OPAQUE = 'opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"'

describe('a challenge', () => {
  it('is read with its parameters, however many a header has and however they are written', () => {
    expect(challengesIn('basic realm="SOGo"')).toEqual([{ scheme: 'basic', params: { realm: 'SOGo' } }])
    expect(
      challengesIn(
        'Negotiate, X-MobileMe-AuthToken realm="a, b=\\"c\\"", NTLM TlRMTVNTUAAB==,Digest  realm = "x" ,qop=auth,nonce="1=2"',
      ),
    ).toEqual([
      { scheme: 'Negotiate', params: {} },
      { scheme: 'X-MobileMe-AuthToken', params: { realm: 'a, b="c"' } },
      { scheme: 'NTLM', params: {} },
      { scheme: 'Digest', params: { realm: 'x', qop: 'auth', nonce: '1=2' } },
    ])
    for (const nothing of [null, '', ' , ,', '"', 'realm="x"', '<script>']) {
      expect(challengesIn(nothing)).toEqual([])
    }
  })

  it('of many quotes is read in one pass', () => {
    const began = performance.now()
    challengesIn(`Digest ${'"\\'.repeat(100_000)}`)
    challengesIn('"'.repeat(100_000))
    challengesIn('a '.repeat(100_000))
    expect(performance.now() - began).toBeLessThan(1_000)
  })
})

describe('the answer to a Digest challenge', () => {
  // RFC 7616, section 3.9.1.
  it.each([
    ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
    ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
  ])('is the one of RFC 7616 with %s', async (algorithm, response) => {
    const offers = challengesIn(`Digest ${REALM}, algorithm=${algorithm}, ${NONCE}, ${OPAQUE}`)
    expect(await digestAuthorization(strongestDigest(offers)!, MUFASA)).toBe(
      `Digest username="Mufasa", realm="http-auth@example.org", uri="/dir/index.html", algorithm=${algorithm}, ` +
        `${NONCE}, nc=00000001, cnonce="${MUFASA.cnonce}", qop=auth, response="${response}", ${OPAQUE}`,
    )
  })

  it('is the one of RFC 2617, which names no algorithm', async () => {
    const offers = challengesIn(
      'Digest realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093"',
    )
    const answer = { ...MUFASA, password: 'Circle Of Life', cnonce: '0a4f113b' }
    const header = await digestAuthorization(strongestDigest(offers)!, answer)
    expect(header).toContain('response="6629fae49393a05397450978507c4ef1"')
    expect(header).not.toContain('algorithm')
  })

  it.each([
    ['md5-sess', 'MD5'],
    ['SHA-256-sess', 'SHA-256'],
  ])('is bound to the nonce with %s, as Cyrus wants it', async (algorithm, plain) => {
    const offers = challengesIn(`Digest ${NONCE},realm="vm",qop="auth",charset=utf-8,algorithm=${algorithm}`)
    const header = await digestAuthorization(strongestDigest(offers)!, MUFASA)
    const hash = async (text: string) => {
      const octets = await crypto.subtle.digest(plain, new TextEncoder().encode(text))
      return Array.from(new Uint8Array(octets), (octet) => octet.toString(16).padStart(2, '0')).join('')
    }
    const nonce = NONCE.slice('nonce="'.length, -1)
    const owner = await hash(`${await hash('Mufasa:vm:Circle of Life')}:${nonce}:${MUFASA.cnonce}`)
    const request = await hash(`GET:${MUFASA.uri}`)
    const response = await hash(`${owner}:${nonce}:00000001:${MUFASA.cnonce}:auth:${request}`)
    expect(header).toContain(`algorithm=${algorithm}, `)
    expect(header).toContain(`response="${response}"`)
  })

  it('uses SHA-256 if both are offered, in either order', () => {
    const [md5, sha] = ['MD5', 'SHA-256'].map((name) => `Digest ${REALM}, algorithm=${name}, ${NONCE}`)
    for (const header of [`${md5}, ${sha}`, `${sha}, ${md5}`, `Basic realm="x", ${md5}, ${sha}`]) {
      expect(strongestDigest(challengesIn(header))).toMatchObject({ algorithm: 'SHA-256' })
    }
  })

  it.each([
    `Digest ${REALM}, algorithm=SHA-512-256, ${NONCE}`,
    `Digest realm="x", qop="auth-int", ${NONCE}`,
    `Digest realm="x", ${NONCE}`,
    `Digest ${REALM}`,
    'Basic realm="x"',
  ])('is not known for %s', (header) => {
    expect(strongestDigest(challengesIn(header))).toBeNull()
  })

  it('keeps quotes and emails of other alphabets in the user name', async () => {
    const [digest] = [strongestDigest(challengesIn(`Digest realm="a\\"b", qop=auth, ${NONCE}`))!]
    const quoted = await digestAuthorization(digest, { ...MUFASA, username: 'a"b\\c' })
    expect(quoted).toContain('username="a\\"b\\\\c", realm="a\\"b"')
    const other = await digestAuthorization(digest, { ...MUFASA, username: 'Jäsøn Doe' })
    expect(other).toContain("username*=UTF-8''J%C3%A4s%C3%B8n%20Doe, realm")
  })
})

/** A server that answers with these challenges in turn, the last one for ever; null lets the request in. */
function server(...headers: (string | null)[]) {
  const sent: (string | null)[] = []
  let at = 0
  const ask = async (authorization: string | null) => {
    sent.push(authorization)
    const header = headers[Math.min(at++, headers.length - 1)]!
    if (header === null) return new Response('in', { status: 207 })
    return new Response('no', { status: 401, headers: header ? { 'WWW-Authenticate': header } : {} })
  }
  return { ask, sent, schemes: () => sent.map((each) => each?.split(' ')[0] ?? null) }
}

function signInOf(scheme: SignInScheme | null, onScheme?: (scheme: SignInScheme) => Promise<void>) {
  return new SignIn({ username: 'ada', password: 'secret', scheme, ...(onScheme && { onScheme }) })
}

const URL_OF = 'https://dav.example.com/cal/?x=1'
const digest = (nonce: string, more = '') => `Digest realm="x", qop="auth", nonce="${nonce}"${more}`

function failureOf(promise: Promise<unknown>) {
  return promise.then(
    () => null,
    ({ failure, message, offers }) => ({ failure, message, offers }),
  )
}

describe('signing in', () => {
  it('sends no password before the server asks, then Basic, and Basic at once from then on', async () => {
    const kept: string[] = []
    const signIn = signInOf(null, async (scheme) => void kept.push(scheme))
    const { ask, schemes } = server('basic realm="SOGo"', null)
    expect((await signIn.ask('GET', URL_OF, ask)).status).toBe(207)
    await signIn.ask('GET', URL_OF, ask)
    expect(schemes()).toEqual([null, 'Basic', 'Basic'])
    expect(kept).toEqual(['basic'])
  })

  it.each([
    ['https://p42-caldav.icloud.com/1/', 'end when the password of the Apple Account is changed'],
    ['https://caldav.fastmail.com/', 'Calendars (CalDAV)'],
    ['https://caldav.calendar.yahoo.com/', 'app passwords only'],
    ['https://caldav.noticloud.com/', null],
  ])('explains a refused password at %s', async (url, hint) => {
    const { ask } = server('Basic realm="x"')
    const { message } = (await failureOf(signInOf(null).ask('GET', url, ask)))!
    if (hint === null) expect(message).toBe('The server refuses the user name or password.')
    else expect(message).toContain(hint)
  })

  it('uses a nonce again, counts its uses, and takes the next one', async () => {
    const signIn = signInOf(null)
    const { ask, sent } = server(digest('a'), null, null, digest('b'), null)
    for (let time = 0; time < 3; time++) expect((await signIn.ask('GET', URL_OF, ask)).status).toBe(207)
    const told = sent.map((each) =>
      /nonce="(.)", nc=0*(\d)/
        .exec(each ?? '')
        ?.slice(1)
        .join(''),
    )
    expect(told).toEqual([undefined, 'a1', 'a2', 'a3', 'b1'])
    expect(sent[1]).toContain('uri="/cal/?x=1"')
  })

  it('answers the challenge of each host with its own', async () => {
    const signIn = signInOf('digest')
    const { ask, sent } = server(digest('a'), null, digest('b'), null, null)
    await signIn.ask('GET', URL_OF, ask)
    await signIn.ask('GET', 'https://p42-dav.example.com/', ask)
    await signIn.ask('GET', URL_OF, ask)
    expect(sent.map((each) => /nonce="(.)"/.exec(each ?? '')?.[1])).toEqual([
      undefined,
      'a',
      undefined,
      'b',
      'a',
    ])
  })

  it.each([`${digest('a')}, Basic realm="x"`, `Basic realm="x", ${digest('a')}`])(
    'never sends Basic once Digest was offered: %s',
    async (both) => {
      const kept: string[] = []
      const signIn = signInOf(null, async (scheme) => void kept.push(scheme))
      const { ask, schemes } = server(both, both, both, 'Basic realm="x"')
      expect(await failureOf(signIn.ask('GET', URL_OF, ask))).toMatchObject({
        failure: 'refused',
        message: expect.stringContaining('user name or password'),
      })
      expect(await failureOf(signIn.ask('GET', URL_OF, ask))).toMatchObject({ failure: 'refused' })
      expect(await failureOf(signIn.ask('GET', URL_OF, ask))).toMatchObject({
        failure: 'refused',
        offers: ['Basic'],
      })
      expect(schemes()).not.toContain('Basic')
      expect(kept).toEqual(['digest'])
    },
  )

  it('moves from Basic to Digest if the server does, and stores that before it goes on', async () => {
    const order: string[] = []
    const signIn = signInOf('basic', async (scheme) => void order.push(scheme))
    const { ask, schemes } = server(digest('a'), null)
    await signIn.ask('PUT', URL_OF, async (authorization) => {
      order.push(authorization?.split(' ')[0] ?? '')
      return ask(authorization)
    })
    expect(order).toEqual(['Basic', 'digest', 'Digest'])
    expect(schemes()).toEqual(['Basic', 'Digest'])
  })

  it('takes a stale nonce for no refusal, and gives up a server that has no others', async () => {
    const stale = digest('b', ', stale=TRUE')
    const { ask, schemes } = server(digest('a'), stale, stale, null)
    expect((await signInOf(null).ask('GET', URL_OF, ask)).status).toBe(207)
    expect(schemes()).toEqual([null, 'Digest', 'Digest', 'Digest'])
    const endless = server(digest('a'), stale)
    expect(await failureOf(signInOf(null).ask('GET', URL_OF, endless.ask))).toMatchObject({
      failure: 'unavailable',
    })
    expect(endless.sent.length).toBeLessThan(10)
  })

  it('sends once more what is lost, and not a third time', async () => {
    for (const header of ['Basic realm="x"', digest('a')]) {
      for (const lost of [1, 2, 3]) {
        const { ask } = server(header, null)
        let calls = 0
        const lossy = (authorization: string | null) => {
          if (++calls === lost) throw new CalendarError('unavailable', 'The server does not answer.')
          return ask(authorization)
        }
        const signIn = signInOf(null)
        expect((await signIn.ask('GET', URL_OF, lossy)).status).toBe(207)
        expect((await signIn.ask('GET', URL_OF, lossy)).status).toBe(207)
        expect(calls).toBe(4)
      }
      let calls = 0
      const nobody = () => {
        calls++
        throw new CalendarError('unavailable', 'The server does not answer.')
      }
      expect(await failureOf(signInOf(null).ask('GET', URL_OF, nobody))).toMatchObject({
        failure: 'unavailable',
      })
      expect(calls).toBe(2)
    }
  })

  it.each([
    ['Bearer realm="x", Negotiate', ['Bearer', 'Negotiate']],
    [`Digest realm="x", qop=auth, algorithm=SHA-512-256, ${NONCE}, Basic realm="x"`, ['Digest', 'Basic']],
    ['', []],
  ])('says what the server offers if that is neither: %j', async (header, offers) => {
    const { ask, schemes } = server(header)
    expect(await failureOf(signInOf(null).ask('GET', URL_OF, ask))).toMatchObject({
      failure: 'refused',
      offers,
    })
    expect(schemes()).toEqual([null])
  })
})

describe('a server that offers Digest', () => {
  it.each([
    { auth: ['Digest'] },
    { auth: ['Digest'], digestAlgorithms: ['SHA-256'] },
    { auth: ['Basic', 'Digest'], digestAlgorithms: ['MD5', 'SHA-256'] },
    { auth: ['Digest'], nonceUses: 1 },
  ])('lets the owner in with the right password only: %j', async (settings) => {
    const world = openWorld('caldav')
    await world.set({ server: 'sabredav', ...settings })
    const { url, username, password }: any = await world.look()
    const ask = (signIn: SignIn) =>
      signIn.ask('PROPFIND', url, (authorization) =>
        fetch(url, {
          method: 'PROPFIND',
          headers: { Depth: '0', ...(authorization && { Authorization: authorization }) },
        }),
      )
    const signIn = new SignIn({ username, password, scheme: null })
    for (let time = 0; time < 3; time++) expect((await ask(signIn)).status).toBe(207)
    expect(signIn.scheme).toBe('digest')
    const wrong = new SignIn({ username, password: 'wrong', scheme: null })
    expect(await failureOf(ask(wrong))).toMatchObject({ failure: 'refused' })
  })
})
