import type { Json, Millis } from '../../columns.ts'

/** Place in a source file where a flag is evaluated. */
export interface StoredPlace {
  readonly path: string
  readonly line: number
  /** Source lines around the place; absent unless the scanner sent them. */
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
  /** Branches, with the data of the most recent upload for any project. */
  code_branches: {
    repository: string
    branch: string
    head: string
    synced_at: Millis
    committed_at: Millis | null
  }
  /** Most recent upload of code references for one project and branch. */
  code_scans: {
    repository: string
    branch: string
    project: string
    head: string
    /** Sequence number that orders the uploads; null if the scanner sent none. */
    update_sequence_id: number | null
  }
  /** Code references to one flag in one branch. A flag with this name need not exist. */
  code_references: {
    repository: string
    branch: string
    project: string
    feature_name: string
    reference_count: number
    places: Json<StoredPlace[]>
  }
  /**
   * Commit that most recently removed a flag from the default branch; `branch` is the name that this branch had then.
   */
  code_extinctions: {
    repository: string
    branch: string
    feature_name: string
    revision: string
    message: string
    removed_at: Millis
  }
}
