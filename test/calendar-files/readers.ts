import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** An event as a reader has it; times are seconds since 1970. Fields that a reader does not show are left out. */
export type ReadEvent = {
  readonly uid: string
  readonly sequence?: number
  readonly summary?: string
  readonly location?: string
  readonly description?: string
  readonly start?: number
  readonly end?: number
  readonly isCancelled?: boolean
}
type Read = { readonly method?: string; readonly events: readonly ReadEvent[] }
export type Reader = { readonly name: string; readonly read: (content: string) => Read }

const RUBY = `
require 'stringio'; require 'icalendar'; require 'json'
calendar = Icalendar::Calendar.parse(STDIN.read.force_encoding('UTF-8')).first
events = calendar.events.map { |e| { uid: e.uid.to_s, sequence: e.sequence.to_i, summary: e.summary.to_s,
  location: e.location.to_s, description: e.description.to_s, start: e.dtstart.to_time.to_i, end: e.dtend.to_time.to_i,
  isCancelled: e.status.to_s == 'CANCELLED' } }
puts({ method: calendar.ip_method.to_s, events: events }.to_json)`

const PYTHON = `
import json, sys
from icalendar import Calendar
calendar = Calendar.from_ical(sys.stdin.buffer.read())
events = calendar.walk('VEVENT')
assert not any(e.errors for e in events), [e.errors for e in events]
print(json.dumps({'method': str(calendar.get('METHOD', '')), 'events': [{'uid': str(e['UID']), 'sequence': int(e['SEQUENCE']),
  'summary': str(e['SUMMARY']), 'location': str(e.get('LOCATION', '')), 'description': str(e.get('DESCRIPTION', '')),
  'start': int(e['DTSTART'].dt.timestamp()), 'end': int(e['DTEND'].dt.timestamp()),
  'isCancelled': str(e.get('STATUS', '')) == 'CANCELLED'} for e in events]}))`

/** Its validator must have no remark. Texts are left out, because 2.1 keeps the backslash before a comma. */
const PHP = `
error_reporting(E_ALL & ~E_DEPRECATED);
require '/usr/share/php/Sabre/VObject/includes.php';
$calendar = Sabre\\VObject\\Reader::read(stream_get_contents(STDIN));
$remarks = array_map(fn ($remark) => $remark['message'], $calendar->validate());
if ($remarks) { fwrite(STDERR, implode(' ', $remarks)); exit(1); }
$events = [];
foreach ($calendar->select('VEVENT') as $e) $events[] = ['uid' => (string) $e->UID, 'sequence' => (int) (string) $e->SEQUENCE,
  'start' => $e->DTSTART->getDateTime()->getTimestamp(), 'end' => $e->DTEND->getDateTime()->getTimestamp(),
  'isCancelled' => (string) $e->STATUS === 'CANCELLED'];
echo json_encode(['method' => (string) $calendar->METHOD, 'events' => $events]);`

const SEPARATOR = '~~'

/** The programs, which keep what they need in `directory`. */
export function readersIn(directory: string): readonly Reader[] {
  const check = join(directory, 'check')
  execFileSync('cc', ['-O2', join(import.meta.dirname, 'check.c'), '-o', check, '-lical'])
  let count = 0
  const folder = () => {
    const made = join(directory, String(++count))
    mkdirSync(made)
    return made
  }
  const run = (command: string, args: readonly string[], input = '') =>
    execFileSync(command, args, {
      input,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, TZ: 'UTC', LC_ALL: 'C.UTF-8' },
    })
  return [
    {
      name: 'python3-icalendar',
      read: (content) => JSON.parse(run('/usr/bin/python3', ['-c', PYTHON], content)),
    },
    { name: 'ruby-icalendar', read: (content) => JSON.parse(run('ruby', ['-e', RUBY], content)) },
    { name: 'sabre/vobject', read: (content) => JSON.parse(run('php', ['-r', PHP], content)) },
    { name: 'libical', read: (content) => readLines(run(check, [], content)) },
    {
      name: 'khal',
      read: (content) => {
        const own = folder()
        mkdirSync(join(own, 'calendar'))
        writeFileSync(join(own, 'in.ics'), content)
        writeFileSync(
          join(own, 'config'),
          `[calendars]\n[[own]]\npath = ${own}/calendar\n[sqlite]\npath = ${own}/khal.db\n[locale]\nlocal_timezone = UTC\n` +
            'default_timezone = UTC\ntimeformat = %H:%M\ndateformat = %Y-%m-%d\nlongdateformat = %Y-%m-%d\n' +
            'datetimeformat = %Y-%m-%d %H:%M\nlongdatetimeformat = %Y-%m-%d %H:%M\n',
        )
        const khal = (...args: readonly string[]) => run('khal', ['-c', join(own, 'config'), ...args])
        khal('import', '--batch', '-a', 'own', join(own, 'in.ics'))
        const format = `{uid}${SEPARATOR}{title}${SEPARATOR}{start-long} ${SEPARATOR}{end-long}`
        const lines = khal('list', '--format', format, '--day-format', '', 'today', '400d').split('\n')
        return {
          events: lines
            .filter((line) => line.includes(SEPARATOR))
            .map((line) => {
              const [uid, summary, start, end] = line.split(SEPARATOR) as [string, string, string, string]
              return { uid, summary, start: secondsOf(start), end: secondsOf(end) }
            }),
        }
      },
    },
    {
      name: 'vdirsyncer',
      read: (content) => {
        const own = folder()
        writeFileSync(join(own, 'in.ics'), content)
        mkdirSync(join(own, 'out'))
        writeFileSync(
          join(own, 'config'),
          `[general]\nstatus_path = "${own}/status"\n[pair read]\na = "from"\nb = "to"\ncollections = null\n` +
            `[storage from]\ntype = "singlefile"\npath = "${own}/in.ics"\n[storage to]\ntype = "filesystem"\n` +
            `path = "${own}/out"\nfileext = ".ics"\n`,
        )
        const vdirsyncer = (...args: readonly string[]) =>
          run('vdirsyncer', ['-c', join(own, 'config'), ...args], 'y\ny\n')
        vdirsyncer('discover')
        vdirsyncer('sync')
        const files = readdirSync(join(own, 'out')).map((name) =>
          readFileSync(join(own, 'out', name), 'utf8'),
        )
        return { events: files.map((text) => ({ uid: /^UID:(.*)$/m.exec(text)![1]!.trim() })) }
      },
    },
  ]
}

function secondsOf(text: string): number {
  return Date.parse(`${text.trim().replace(' ', 'T')}:00Z`) / 1000
}

/** What the program for libical prints: a line for each field, and a `uid` before those of an event. */
function readLines(text: string): Read {
  const events: Record<string, unknown>[] = []
  let method = ''
  for (const line of text.split('\n').filter(Boolean)) {
    const at = line.indexOf(' ')
    const [name, raw] = [line.slice(0, at), line.slice(at + 1)]
    const value = raw.replace(/\\([\\n])/g, (_, char) => (char === 'n' ? '\n' : '\\'))
    if (name === 'valid' && value !== '1') throw new Error('libical finds the file not valid')
    else if (name === 'errors' && value !== '0') throw new Error(`libical finds ${value} errors`)
    else if (name === 'method') method = value
    else if (name === 'uid') events.push({ uid: value })
    else if (name === 'cancelled') events.at(-1)!.isCancelled = value === '1'
    else if (['start', 'end', 'sequence'].includes(name)) events.at(-1)![name] = Number(value)
    else if (events.length > 0) events.at(-1)![name] = value
  }
  return { method, events: events as ReadEvent[] }
}
