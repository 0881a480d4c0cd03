import { defineConfig } from '@kubb/core'
import { pluginClient } from '@kubb/plugin-client'
import { pluginOas } from '@kubb/plugin-oas'
import { pluginTs } from '@kubb/plugin-ts'

const { DOCUMENT, OUTPUT } = process.env as Record<string, string>

export default defineConfig({
  root: '.',
  input: { path: DOCUMENT! },
  output: { path: OUTPUT!, clean: true, extension: { '.ts': '.ts' } },
  plugins: [
    pluginOas({ generators: [], validate: false }),
    pluginTs({ output: { path: 'types.ts' } }),
    pluginClient({ output: { path: 'client.ts' }, client: 'fetch' }),
  ],
})
