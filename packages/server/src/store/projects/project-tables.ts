import type { LinkTemplate } from '@burgee/protocol/administration/feature-link'
import type { ColumnType, Generated } from 'kysely'
import type { Bit, Millis } from '../columns.ts'

/** Tables of projects and environments, and of links of flags. */
export interface ProjectTables {
  projects: {
    id: string
    name: string
    description: string | null
    mode: string
    default_stickiness: string
    created_at: Millis
    archived_at: Generated<Millis | null>
    /** What its flags must be called, from the first to the last character; null for no rule. */
    feature_naming_pattern: Generated<string | null>
    feature_naming_example: Generated<string | null>
    feature_naming_description: Generated<string | null>
    /** How many flags that are not archived it takes. */
    feature_limit: Generated<number | null>
    /** What flags to come have links of. */
    link_templates: ColumnType<LinkTemplate[], string | undefined, string>
  }
  removed_private_projects: { id: string }
  environments: { name: string; type: string; sort_order: number; enabled: Bit; protected: Bit }
  /** Whose front ends' contexts are sampled. */
  sampled_environments: { name: string }
  project_environments: { project: string; environment: string }
  feature_links: {
    id: string
    feature_name: string
    url: string
    title: string | null
    /** Where it stands among those of its flag. */
    sort_order: number
  }
}
