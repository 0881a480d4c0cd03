import { unstable_readConfig as readConfig } from 'wrangler'
import { databaseFile } from './database-files.ts'

type Bound = {
  readonly binding: string
  readonly database_id?: string
  readonly preview_database_id?: string
}

/** All databases that `wrangler.toml` names, the directory first. */
function databasesIn(config: string): readonly Bound[] {
  return readConfig({ config }).d1_databases
}

export function boundDatabases(config: string): readonly string[] {
  return databasesIn(config).map(({ binding }) => binding)
}

/** Where this machine keeps them. One whose id is given or changed is another one here, which begins empty. */
export function localDatabases(config: string, stateDirectory: string): readonly string[] {
  return databasesIn(config).map(({ binding, database_id, preview_database_id }) =>
    databaseFile(stateDirectory, preview_database_id ?? database_id ?? binding),
  )
}
