import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import {
  type Account,
  accountOn,
  DAY_MS,
  HOUR_MS,
  hour,
  NOTHING,
  newBooking,
  SLOT,
  WINDOW,
} from './account.ts'
import { checkKinds } from './kinds.ts'
import { checkSeries } from './series.ts'
import type { Server } from './servers.ts'

/** Something that must hold on every server. It says more for the table, null where it does not apply. */
export type Check = {
  readonly what: string
  readonly run: (server: Server, account: Account) => Promise<string | null | undefined>
}

const failureOf = (promise: Promise<unknown>): Promise<string | null> =>
  promise.then(
    () => null,
    ({ failure, message }) => failure ?? message,
  )

const uidsOf = (events: readonly { readonly uid: string }[]) => events.map(({ uid }) => uid).sort()

/** Keeps what a calendar reports, as a sync does. */
function follow(account: Account, url: string) {
  const known = new Map<string, { readonly uid: string; readonly etag: string | null }>()
  let cursor: string | null = null
  return async (isThorough = false) => {
    const etags = async () =>
      new Map([...known].flatMap(([id, { etag }]) => (etag === null ? [] : [[id, etag] as const])))
    const told = await account.open(url).listChanges(WINDOW, { cursor, etags, isThorough })
    if (told.isComplete) known.clear()
    for (const id of told.gone) known.delete(id)
    for (const { id, uid, etag } of told.changed) known.set(id, { uid, etag })
    cursor = told.cursor
    return uidsOf([...known.values()])
  }
}

export const CHECKS: readonly Check[] = [
  {
    what: 'connected by each of its addresses',
    run: async ({ origin, home, principal }, { discover, newCalendar }) => {
      const calendar = await newCalendar()
      const forms = [
        origin,
        `${origin}/`,
        home,
        home.replace(/\/$/, ''),
        principal,
        principal.replace(/\/$/, ''),
      ]
      for (const form of forms) assert.ok((await discover(form)).calendars.length > 0, form)
      for (const form of [calendar, calendar.replace(/\/$/, '')])
        assert.equal((await discover(form)).main.externalId, calendar, form)
    },
  },
  {
    what: 'a wrong password, another person’s calendar and one that is not there are refused',
    run: async (server, { discover }) => {
      const wrong = accountOn(server, 'wrong')
      if (server.asksPassword) assert.equal(await failureOf(wrong.discover(server.home)), 'refused')
      if (server.foreign !== null)
        assert.ok(
          ['absent', 'refused'].includes((await failureOf(discover(server.foreign)))!),
          'another person',
        )
      assert.equal(await failureOf(discover(`${server.home}no-such/`)), 'absent')
    },
  },
  {
    what: 'calendars are listed, boxes for invitations are not',
    run: async (_, { account, newCalendar }) => {
      const made = [await newCalendar(), await newCalendar()]
      const listed = await account.listCalendars()
      const ids = listed.map(({ externalId }) => externalId)
      for (const url of made) assert.ok(ids.includes(url), url)
      assert.deepEqual(
        ids.filter((id) => /\/(\.?in(box)?|\.?out(box)?)\/$/i.test(id)),
        [],
      )
      assert.equal(listed.filter(({ isPrimary }) => isPrimary).length, 1)
      assert.ok(listed.every(({ canWrite }) => canWrite))
    },
  },
  { what: 'kinds of events are read as they are in a file', run: checkKinds },
  { what: 'a series that began two years ago is listed', run: checkSeries },
  {
    what: 'a sync reports what was added, changed and removed',
    run: async (_, account) => {
      const url = await account.newCalendar()
      for (const [at, uid] of ['stays', 'changes', 'goes'].entries()) await account.put(url, uid, ...hour(at))
      const sync = follow(account, url)
      assert.deepEqual(await sync(), ['changes', 'goes', 'stays'])
      await account.put(url, 'comes', ...hour(5))
      await account.put(url, 'changes', ...hour(9))
      await account.remove(url, 'goes')
      assert.deepEqual(await sync(), ['changes', 'comes', 'stays'])
      assert.deepEqual(await sync(true), ['changes', 'comes', 'stays'])
      const [moved] = await account
        .open(url)
        .listEvents({ start: SLOT + 9 * HOUR_MS, end: SLOT + 10 * HOUR_MS })
      assert.equal(moved?.uid, 'changes')
    },
  },
  {
    what: 'a booking is written, moved and cancelled, character by character',
    run: async (_, account) => {
      const url = await account.newCalendar()
      const client = account.open(url)
      const booking = newBooking()
      const written = await client.writeEvent(booking, null)
      assert.equal((await client.writeEvent(booking, null)).id, written.id)
      const text = (await account.must('GET', new URL(written.id, url).href)).replace(/\r?\n[ \t]/g, '')
      for (const part of [
        'Line two\\; with\\, all \\\\ signs 🎉',
        'Saal 1\\; Haus B\\,\\nHinterhof',
        booking.url!,
      ])
        assert.ok(text.includes(part), part)
      const known = (await client.findEvent(written.id))!
      const moved = { ...booking, sequence: 1, start: SLOT + HOUR_MS, end: SLOT + 2 * HOUR_MS }
      const again = await client.writeEvent(moved, known)
      assert.equal((await client.findEvent(again.id))?.time?.start, moved.start)
      await client.removeEvent(again.id)
      await client.removeEvent(again.id)
      assert.equal(await client.findEvent(again.id), null)
    },
  },
  {
    what: 'a booking that its owner changed or deleted is not written over',
    run: async (_, account) => {
      const url = await account.newCalendar()
      const client = account.open(url)
      const booking = newBooking()
      const written = await client.writeEvent(booking, null)
      const resource = new URL(written.id, url).href
      const text = await account.must('GET', resource)
      await account.must('PUT', resource, text.replace(/DTEND[^\r\n]*/, hour(3)[1]!))
      assert.equal(await failureOf(client.writeEvent({ ...booking, sequence: 1 }, written)), 'changed')
      await account.must('DELETE', resource)
      assert.equal(await failureOf(client.writeEvent({ ...booking, sequence: 1 }, written)), 'changed')
      assert.equal(await client.findEvent(written.id), null)
    },
  },
  {
    what: 'a booking that was dragged is found, by MOVE and by PUT and DELETE',
    run: async (_, account) => {
      const [first, second] = [await account.newCalendar(), await account.newCalendar()]
      const around = { start: SLOT - DAY_MS, end: SLOT + DAY_MS }
      const ways: string[] = []
      for (const way of ['MOVE', 'PUT']) {
        const booking = newBooking()
        const { id } = await account.open(first).writeEvent(booking, null)
        const [from, to] = [new URL(id, first).href, `${second}${randomUUID()}.ics`]
        const text = await account.must('GET', from)
        if (way === 'MOVE') {
          const { status } = await account.dav('MOVE', from, undefined, { Destination: to })
          if (status > 299) continue
        } else {
          await account.must('DELETE', from)
          await account.must('PUT', to, text)
        }
        ways.push(way)
        const found = await account.account.findAnywhere({
          calendarId: first,
          eventId: id,
          uid: booking.uid,
          around,
        })
        assert.equal(found?.calendarId, second, way)
      }
      return ways.includes('MOVE') ? undefined : 'no MOVE'
    },
  },
  {
    what: 'a booking is written again though another calendar of the account has it',
    run: async (_, account) => {
      const [first, second] = [await account.newCalendar(), await account.newCalendar()]
      const booking = newBooking()
      await account.open(first).writeEvent(booking, null)
      const { id } = await account.open(second).writeEvent(booking, null)
      assert.equal((await account.open(second).findEvent(id))?.uid, booking.uid)
    },
  },
  {
    what: '1,000 events are listed, and what changed among them',
    run: async (_, account) => {
      const url = await account.newCalendar()
      const left = Array.from({ length: 1_000 }, (_, at) => at).values()
      const putAll = async () => {
        for (const at of left) await account.put(url, `n${at}`, ...hour(at))
      }
      await Promise.all([putAll(), putAll(), putAll(), putAll()])
      const sync = follow(account, url)
      const began = Date.now()
      assert.equal((await sync()).length, 1_000)
      const seconds = Math.round((Date.now() - began) / 100) / 10
      await account.remove(url, 'n7')
      assert.equal((await sync()).length, 999)
      return `${seconds} s`
    },
  },
  {
    what: 'a calendar that was made again under its address leaves no ghosts',
    run: async (_, account) => {
      const name = randomUUID()
      const url = await account.newCalendar(name)
      for (const [at, uid] of ['a', 'b', 'c'].entries()) await account.put(url, `${uid}-${name}`, ...hour(at))
      const sync = follow(account, url)
      assert.equal((await sync()).length, 3)
      await account.must('DELETE', url)
      await account.newCalendar(name)
      await account.put(url, `new-${name}`, ...hour(1))
      const soon = await sync().catch(({ failure }) => [failure])
      assert.deepEqual(await sync(true), [`new-${name}`])
      await account.put(url, `next-${name}`, ...hour(4))
      assert.deepEqual(await sync(), [`new-${name}`, `next-${name}`])
      return soon.length === 1 ? 'at once' : 'by the comparison'
    },
  },
  {
    what: 'a sync goes on after a restart',
    run: async ({ control }, account) => {
      if (control === null) return null
      const url = await account.newCalendar()
      await account.put(url, 'before', ...hour(1))
      const sync = follow(account, url)
      await sync()
      control.stop()
      assert.equal(await failureOf(sync()), 'unavailable')
      await control.start()
      assert.deepEqual(await sync(), ['before'])
      await account.put(url, 'after', ...hour(2))
      assert.deepEqual(await sync(), ['after', 'before'])
    },
  },
  {
    what: 'a restored backup leaves no ghosts',
    run: async ({ control }, account) => {
      if (control === null) return null
      const url = await account.newCalendar()
      await account.put(url, 'old', ...hour(1))
      const sync = follow(account, url)
      await sync()
      control.stop()
      await control.backUp()
      await control.start()
      for (const [at, uid] of ['lost-1', 'lost-2', 'lost-3'].entries())
        await account.put(url, uid, ...hour(2 + at))
      await account.remove(url, 'old')
      assert.deepEqual(await sync(), ['lost-1', 'lost-2', 'lost-3'])
      control.stop()
      await control.restore()
      await control.start()
      const soon = await sync()
      assert.deepEqual(await sync(true), ['old'])
      await account.put(url, 'next', ...hour(7))
      assert.deepEqual(await sync(true), ['next', 'old'])
      return soon.join() === 'old' ? 'at once' : 'by the comparison'
    },
  },
  {
    what: 'a changed password is a refusal, and the new one is let in',
    run: async (server, account) => {
      const change = server.control?.changePassword
      if (!change) return null
      const url = await account.newCalendar()
      change('another-secret')
      // Some servers keep what they knew for a while.
      server.control!.stop()
      await server.control!.start()
      const refused = await failureOf(account.open(url).listChanges(WINDOW, NOTHING))
      const fresh = await failureOf(
        accountOn(server, 'another-secret').open(url).listChanges(WINDOW, NOTHING),
      )
      change(server.password)
      server.control!.stop()
      await server.control!.start()
      assert.deepEqual([refused, fresh], ['refused', null])
    },
  },
]
