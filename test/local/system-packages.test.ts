import { describe, expect, it } from 'vitest'
import { filesWithout } from '../system/files-without.ts'
import { installMissing, type Machine } from '../system/install.ts'
import { SYSTEM_PACKAGES } from '../system/packages.ts'

const DEBIAN = 'PRETTY_NAME="Debian GNU/Linux 12"\nID=debian\n'
const UBUNTU = 'NAME="Ubuntu"\nID=ubuntu\nID_LIKE=debian\n'
const FEDORA = 'NAME="Fedora Linux"\nID=fedora\n'

/** A machine without `radicale` and `xandikos` whose `apt-get` installs those that it knows. */
function machineWith(own: Partial<Machine> & { known?: readonly string[]; programs?: readonly string[] }) {
  const installed = new Set<string>()
  const commands: string[] = []
  const said: string[] = []
  const { known = ['radicale', 'xandikos'], programs = ['apt-get', 'sudo'], ...rest } = own
  const machine: Machine = {
    packages: ['radicale', 'xandikos'].map((name) => ({
      name,
      purpose: `the purpose of ${name}`,
      isThere: () => installed.has(name),
      usedBy: /never/,
    })),
    release: DEBIAN,
    isRoot: true,
    isAttended: false,
    isCi: false,
    has: (program) => programs.includes(program),
    run: (command) => {
      commands.push(command.join(' '))
      if (command[0] === 'apt-cache') return known.includes(command.at(-1)!)
      if (command.includes('install'))
        for (const name of known) if (command.includes(name)) installed.add(name)
      return true
    },
    say: (line) => said.push(line),
    ...rest,
  }
  return { machine, commands, said: () => said.join('\n') }
}

describe('npm test on a new machine', () => {
  it.each([
    ['Debian', DEBIAN],
    ['Ubuntu', UBUNTU],
  ])('installs the missing packages as root on %s', (_, release) => {
    const { machine, commands, said } = machineWith({ release })
    expect(installMissing(machine)).toBe(true)
    expect(commands.at(-1)).toBe(
      'env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends radicale xandikos',
    )
    expect(said()).toContain('radicale: the purpose of radicale')
  })

  it('says what it installs and why before sudo asks for a password', () => {
    let saidBefore = ''
    const { machine, commands, said } = machineWith({ isRoot: false, isAttended: true })
    const run: Machine['run'] = (command) => {
      saidBefore ||= said()
      return machine.run(command)
    }
    expect(installMissing({ ...machine, run })).toBe(true)
    expect(commands[0]).toBe('sudo apt-get update -qq')
    expect(saidBefore).toContain('xandikos: the purpose of xandikos')
    expect(saidBefore).toContain('sudo apt-get')
  })

  it('asks for no password without a terminal', () => {
    const refuses: Machine['run'] = (command) => command[0] !== 'sudo'
    const { machine, said } = machineWith({ isRoot: false })
    expect(installMissing({ ...machine, run: refuses })).toBe(true)
    expect(said()).toContain('Not installed: radicale (the purpose of radicale), xandikos')
  })

  it('installs what the release has when it lacks one of them', () => {
    const { machine, commands, said } = machineWith({ known: ['xandikos'] })
    expect(installMissing(machine)).toBe(true)
    expect(commands.at(-1)).toMatch(/--no-install-recommends xandikos$/)
    expect(said()).toContain('Not installed: radicale')
  })

  it.each([
    ['another system', { release: FEDORA }],
    ['no system release', { release: '' }],
    ['no sudo', { isRoot: false, programs: ['apt-get'] }],
  ])('runs the other tests with %s, and fails in CI', (_, own) => {
    const { machine, commands, said } = machineWith(own)
    expect(installMissing(machine)).toBe(true)
    expect(commands).toEqual([])
    expect(said()).toContain('left out, and listed at the end')
    expect(installMissing({ ...machine, isCi: true })).toBe(false)
  })

  it('does nothing when all are there', () => {
    const { machine, commands, said } = machineWith({ packages: [] })
    expect([installMissing(machine), commands, said()]).toEqual([true, [], ''])
  })
})

describe('the files of tests that are left out', () => {
  const without = (...names: string[]) =>
    filesWithout(SYSTEM_PACKAGES.filter(({ name }) => names.includes(name)))

  it('are an empty list when nothing is missing', () => {
    expect(without()).toEqual([])
  })

  it.each([
    ['xandikos', 'test/e2e/xandikos.test.ts'],
    ['python3-icalendar', 'test/e2e/calendar-files.test.ts'],
  ])('are the one that uses %s', (name, file) => {
    expect(without(name)).toEqual([{ file, packages: [name] }])
  })

  it.each([
    ['radicale', 'test/calendars/caldav.test.ts', 'test/e2e/xandikos.test.ts'],
    ['radicale', 'test/e2e/console-walk.test.ts', 'test/booking/bookings.test.ts'],
    ['chromium-headless-shell', 'test/e2e/pages.test.ts', 'test/pages/pages.test.ts'],
    ['fonts-noto-cjk', 'test/e2e/console.test.ts', 'test/e2e/crash.test.ts'],
    ['curl', 'test/e2e/start.test.ts', 'test/e2e/client.test.ts'],
    ['openssl', 'test/e2e/docs.test.ts', 'test/local/docs.test.ts'],
  ])('without %s hold %s but not %s', (name, file, other) => {
    const files = without(name).map((leftOut) => leftOut.file)
    expect(files).toContain(file)
    expect(files).not.toContain(other)
  })

  it('name every package that a file needs', () => {
    const file = without('radicale', 'curl', 'chromium-headless-shell').find(
      (leftOut) => leftOut.file === 'test/e2e/console-walk.test.ts',
    )
    expect(file?.packages).toEqual(['radicale', 'chromium-headless-shell'])
  })
})
