import { createRequire } from 'node:module'

/** What esbuild tells about a bundle, as far as it is read here. */
export type Metafile = {
  readonly inputs: Readonly<Record<string, { readonly imports: readonly MetafileImport[] }>>
  readonly outputs: Readonly<Record<string, MetafileOutput>>
}

type MetafileImport = { readonly path: string; readonly kind: string; readonly external?: boolean }

type MetafileOutput = {
  readonly entryPoint?: string
  readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>>
}

/** The files that the bundle evaluates when it starts: whatever `import()` alone leads to waits until it is called. */
export function evaluatedAtStart(metafile: Metafile, entry: string): readonly string[] {
  return filesFrom(metafile, entry, ({ kind }) => kind !== 'dynamic-import')
}

/** What a bundle holds besides files of these names and what they alone need, as it is written before it is minified. */
export function bundleWithout(bundle: string, metafile: Metafile, entry: string, names: RegExp): string {
  const files = new Set(filesFrom(metafile, entry, ({ path }) => !names.test(path)))
  const [runtime, ...sections] = bundle.split(/^(?=\/\/ (?:src|node_modules)\/\S+$)/m)
  return [runtime, ...sections.filter((section) => files.has(/^\/\/ (\S+)/.exec(section)![1]!))].join('')
}

/** Its text as wrangler would minify it, which takes another program's start each time. */
export async function minified(contents: string): Promise<Uint8Array> {
  const require = createRequire(createRequire(import.meta.url).resolve('wrangler/package.json'))
  const { outputFiles } = await require('esbuild').build({
    stdin: { contents },
    bundle: true,
    format: 'esm',
    minify: true,
    target: 'es2024',
    external: ['cloudflare:*', 'node:*'],
    write: false,
    logLevel: 'error',
  })
  return outputFiles[0].contents
}

function filesFrom(
  { inputs }: Metafile,
  entry: string,
  follows: (one: MetafileImport) => boolean,
): readonly string[] {
  const files = new Set([entry])
  for (const file of files) {
    for (const one of inputs[file]?.imports ?? []) if (!one.external && follows(one)) files.add(one.path)
  }
  return [...files]
}

/** The package that a file belongs to; null for one of the service itself. */
export function packageOf(file: string): string | null {
  return /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? null
}
