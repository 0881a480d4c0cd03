/** What a lock file says about one package. */
type LockedPackage = {
  readonly version?: string
  readonly link?: boolean
  readonly integrity?: string
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly [field: string]: unknown
}
export type LockFile = { readonly packages: Readonly<Record<string, LockedPackage>> }

type MissingPackage = {
  readonly path: string
  readonly name: string
  readonly version: string
  readonly dev: boolean
}

/**
 * The optional packages that the lock file names as a dependency and does not describe. npm leaves out those of
 * other platforms when it cannot reach them, and `npm ci` then fails on every platform.
 */
export function missingPackages({ packages }: LockFile): readonly MissingPackage[] {
  return Object.entries(packages).flatMap(([parent, { optionalDependencies = {}, dev }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !isLocked(packages, parent, name))
      .map(([name, version]) => ({ path: `node_modules/${name}`, name, version, dev: dev === true })),
  )
}

/** The packages of the registry whose entry has no checksum, so that nothing shows whether they are what was locked. */
export function unprovenPackages({
  packages,
}: LockFile): readonly { path: string; name: string; version: string }[] {
  return Object.entries(packages)
    .filter(([path, { link, integrity }]) => path.includes('node_modules/') && !link && !integrity)
    .map(([path, { version = '' }]) => ({ path, name: path.split('node_modules/').at(-1)!, version }))
}

/** The same entry with the checksum where npm writes it. */
export function withIntegrity({ version = '', ...entry }: LockedPackage, integrity: string): LockedPackage {
  return { version, integrity, ...entry }
}

/** Looks where Node looks: below the package itself, then below each package that contains it. */
function isLocked(packages: LockFile['packages'], parent: string, name: string): boolean {
  const inner = `${parent === '' ? '' : `${parent}/`}node_modules/${name}`
  if (inner in packages) return true
  if (parent === '') return false
  const outer = parent.lastIndexOf('node_modules/')
  return isLocked(packages, parent.slice(0, Math.max(0, outer - 1)), name)
}

const SYSTEMS = {
  android: 'android',
  darwin: 'darwin',
  linux: 'linux',
  win32: 'win32',
  windows: 'win32',
} as const
const PROCESSORS = { arm64: 'arm64', x64: 'x64', 64: 'x64', ia32: 'ia32', arm: 'arm' } as const

/** The entry that npm would write, without the checksum, which only the registry knows. The name shows the platform. */
export function entryFor({ name, version, dev }: MissingPackage): LockedPackage {
  const words = name.split(/[/-]/)
  const os = oneOf(SYSTEMS, words)
  const cpu = oneOf(PROCESSORS, words)
  if (!os || !cpu)
    throw new Error(`The name of ${name} does not contain its platform: write its entry by hand.`)
  const libc = os === 'linux' ? { libc: [words.includes('musl') ? 'musl' : 'glibc'] } : {}
  return { version, cpu: [cpu], ...(dev ? { dev } : {}), ...libc, optional: true, os: [os] }
}

function oneOf<T>(known: Readonly<Record<string, T>>, words: readonly string[]): T | undefined {
  return words.map((word) => known[word]).find((value) => value !== undefined)
}
