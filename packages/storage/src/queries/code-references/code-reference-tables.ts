import type { Generated } from 'kysely'
import type { Json, Millis } from '../../columns.ts'

/** Place in a source file that asks for a flag. */
export interface StoredPlace {
  readonly path: string
  readonly line: number
  /** Source lines; omitted unless the scanner sent them. */
  readonly lines?: string
}

/** Tables of code references. */
export interface CodeReferenceTables {
  code_repositories: {
    name: string
    type: string
    source_link: string
    commit_url_template: string
    hunk_url_template: string
    default_branch: string
    created_at: Millis
  }
  code_branches: {
    repository: string
    branch: string
    head: string
    /** Order of uploads; null if the scanner sent none. */
    update_sequence_id: number | null
    synced_at: Millis
    committed_at: Millis | null
    /** Number of references, of all flags. */
    reference_count: Generated<number>
  }
  /** References of a flag in a branch. The name need not be the name of a flag that exists. */
  code_references: {
    repository: string
    branch: string
    project: string
    feature_name: string
    reference_count: number
    places: Json<StoredPlace[]>
  }
  /** Last commit that removed a flag from a branch. */
  code_extinctions: {
    repository: string
    branch: string
    feature_name: string
    revision: string
    message: string
    removed_at: Millis
  }
}
