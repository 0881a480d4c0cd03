import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ICAL from 'ical.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { takeBuilt } from '../support/build-for-e2e.ts'
import { openOffice } from '../support/office.ts'
import { type Service, startService } from '../support/service.ts'
import { PYTHON } from '../system/packages.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const FIRST = Math.floor(Date.now() / DAY_MS) * DAY_MS + 20 * DAY_MS + 14 * HOUR_MS

let directory: string
let service: Service
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'calendar-files-'))
  service = await startService(await takeBuilt(directory), directory)
})
afterAll(async () => {
  await service?.kill()
  await rm(directory, { recursive: true, force: true })
})

/** What Debian's library for calendar files (python3-icalendar) understands of one. */
function readByPython(content: string): Record<string, unknown> {
  const script = `
import json, sys
from icalendar import Calendar
calendar = Calendar.from_ical(sys.stdin.buffer.read())
event = [part for part in calendar.walk('VEVENT')][0]
text = lambda name: str(event[name]) if name in event else None
print(json.dumps({
  'method': str(calendar['METHOD']), 'uid': text('UID'), 'sequence': int(event['SEQUENCE']),
  'summary': text('SUMMARY'), 'location': text('LOCATION'), 'description': text('DESCRIPTION'),
  'start': event['DTSTART'].dt.timestamp() * 1000, 'end': event['DTEND'].dt.timestamp() * 1000,
  'errors': [str(error) for error in event.errors],
}))`
  const told = execFileSync(PYTHON, ['-c', script], { input: content, encoding: 'utf8' })
  return JSON.parse(told)
}

function readByIcal(content: string): Record<string, unknown> {
  const calendar = new ICAL.Component(ICAL.parse(content))
  const event = calendar.getFirstSubcomponent('vevent')!
  const text = (name: string) => event.getFirstPropertyValue(name)?.toString() ?? null
  const instant = (name: string) => (event.getFirstPropertyValue(name) as ICAL.Time).toJSDate().getTime()
  return {
    method: calendar.getFirstPropertyValue('method'),
    uid: text('uid'),
    sequence: Number(text('sequence')),
    summary: text('summary'),
    location: text('location'),
    description: text('description'),
    start: instant('dtstart'),
    end: instant('dtend'),
    errors: [],
  }
}

it('emails carry calendar files that two other libraries read alike', async () => {
  const office = await openOffice(service.url, 'files')
  const titles = [
    'Tea, talk; and \\ more',
    '日本語の長い予約タイトル'.repeat(6),
    'موعد استشارة ',
    'Emoji 👩‍👩‍👧 & <b>',
  ]
  for (const [at, title] of titles.entries()) {
    const id = await office.offer({ title, slug: `file-${at}`, location: 'Saal 1; Haus B,\nHinterhof' })
    const notes = 'Line one\nLine two; with, all \\ signs "quoted" 🎉'
    await office.book(id, FIRST + at * HOUR_MS, { locale: 'ar', notes })
  }
  for (const { attachments, subject } of await office.letters(titles.length * 2)) {
    const [file] = attachments
    const read = readByPython(file!.content)
    expect(read, subject).toEqual(readByIcal(file!.content))
    expect(read, subject).toMatchObject({
      location: 'Saal 1; Haus B,\nHinterhof',
      end: Number(read.start) + HOUR_MS,
    })
    expect(String(read.description)).toContain('Line two; with, all \\ signs "quoted" 🎉')
  }
})
