import { unstable_readConfig as readConfig } from 'wrangler'

/** The bindings of all databases that `wrangler.toml` names, the directory first. */
export function boundDatabases(config: string): readonly string[] {
  return readConfig({ config }).d1_databases.map(({ binding }: { readonly binding: string }) => binding)
}
