import type { LinkTemplate } from '@burgee/protocol/administration/feature-link'
import type { ColumnType, Generated } from 'kysely'
import type { Bit, Millis } from '../../columns.ts'

/** Tables of projects, environments and the web links of flags. */
export interface ProjectTables {
  projects: {
    id: string
    name: string
    description: string | null
    mode: string
    default_stickiness: string
    created_at: Millis
    archived_at: Generated<Millis | null>
    /** Pattern that the whole name of a flag must match; null if names are not restricted. */
    feature_naming_pattern: Generated<string | null>
    feature_naming_example: Generated<string | null>
    feature_naming_description: Generated<string | null>
    /** Maximum number of flags in the project, not counting archived flags; null for no limit. */
    feature_limit: Generated<number | null>
    /** Templates for the web links that new flags get. */
    link_templates: ColumnType<LinkTemplate[], string | undefined, string>
  }
  removed_private_projects: { id: string }
  environments: { name: string; type: string; sort_order: number; enabled: Bit; protected: Bit }
  /** Environments in which the contexts of frontend clients are sampled. */
  sampled_environments: { name: string }
  project_environments: { project: string; environment: string }
  feature_links: {
    id: string
    feature_name: string
    url: string
    title: string | null
    /** Position of the link among the links of its flag. */
    sort_order: number
  }
}
