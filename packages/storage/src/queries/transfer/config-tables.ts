import type { ConfigFileKind } from '@burgee/protocol/administration/config-files'
import type { Millis } from '../../columns.ts'

/** Table of objects that are managed by files in a repository. */
export interface ConfigTables {
  config_origins: {
    /** Project whose files describe the object. */
    project: string
    kind: ConfigFileKind
    name: string
    /** Name of a flag; null for other kinds of objects. */
    feature_name: string | null
    repository: string
    /** Commit whose files were applied last. */
    commit_id: string
    /** Path of the file, relative to the folder of the project. */
    path: string
    applied_at: Millis
    /** Time of the first change by hand since then; null if there was none. */
    drifted_at: Millis | null
  }
}
