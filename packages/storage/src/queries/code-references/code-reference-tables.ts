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
  /** Branches, with the data of the last upload for any project. */
  code_branches: {
    repository: string
    branch: string
    head: string
    synced_at: Millis
    committed_at: Millis | null
  }
  /** Last upload of the references of one project in a branch. */
  code_scans: {
    repository: string
    branch: string
    project: string
    head: string
    /** Order of uploads; null if the scanner sent none. */
    update_sequence_id: number | null
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
  /** Last commit that removed a flag from the default branch, which was `branch` at that time. */
  code_extinctions: {
    repository: string
    branch: string
    feature_name: string
    revision: string
    message: string
    removed_at: Millis
  }
}
