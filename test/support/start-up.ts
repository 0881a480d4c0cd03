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
export function evaluatedAtStart({ inputs }: Metafile, entry: string): readonly string[] {
  const files = new Set([entry])
  for (const file of files) {
    for (const { path, kind, external } of inputs[file]?.imports ?? []) {
      if (kind !== 'dynamic-import' && !external) files.add(path)
    }
  }
  return [...files]
}

/** The package that a file belongs to; null for one of the service itself. */
export function packageOf(file: string): string | null {
  return /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? null
}
