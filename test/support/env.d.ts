/// <reference types="vite/types/importMeta.d.ts" />
declare namespace Cloudflare {
  interface Env {
    readonly SECOND: D1Database
    readonly THIRD: D1Database
    readonly MIGRATIONS: import('cloudflare:test').D1Migration[]
  }
  interface GlobalProps {
    mainModule: typeof import('../../src/index.ts')
  }
}
declare module '*?raw' {
  const text: string
  export default text
}
