import type { Generated } from 'kysely'
import type { Bit, Json, Millis } from '../../columns.ts'

/**
 * Type of a role: root roles are valid in the whole installation, others in one project; a role is built-in or custom.
 */
export type RoleType = 'root' | 'project' | 'root-custom' | 'custom'

/** Tables of users, roles and groups. */
export interface AccessTables {
  users: {
    id: Generated<number>
    username: string | null
    email: string | null
    name: string | null
    /** Hash of the password; empty if the account has no password, so that it cannot log in with one. */
    password_hash: string
    /** Id of the root role (type 'root' or 'root-custom'): 1 Admin, 2 Editor, 3 Viewer, or a custom role. */
    root_role: number
    must_change_password: Bit
    login_attempts: number
    created_at: Millis
    seen_at: Millis | null
    /** 1 for a service account, which has tokens but never a password. */
    is_service: Generated<Bit>
    /** URL of the user's picture; null to generate one from the name or address. */
    image_url: Generated<string | null>
    scim_id: Generated<string | null>
    /** Id of the account in the SCIM directory. */
    scim_external_id: Generated<string | null>
    /** 0 if SCIM has deactivated the account. Such an account cannot log in, but none of its data is deleted. */
    active: Generated<Bit>
    /**
     * 1 if the account holder entered the e-mail address. Superseded by `address_verified`; only servers of the
     * previous version write this column.
     */
    own_email: Generated<Bit>
    /**
     * 1 if an administrator or an identity source set the e-mail address. 0 if the account holder or an import set the
     * e-mail address.
     */
    address_verified: Bit
  }
  /** Networks from which an account has logged in. */
  known_networks: { user_id: number; network_hash: string; seen_at: Millis }
  project_members: {
    project: string
    user_id: number
    /** Id of a project role (type 'project' or 'custom'): 4 Owner, 5 Member, or a custom role. */
    role_id: number
    /** Time at which the role was granted; null if it was granted before this column existed. */
    created_at: Generated<Millis | null>
  }
  roles: {
    id: Generated<number>
    name: string
    description: string
    type: RoleType
  }
  /** Permissions of custom roles. Permissions of built-in roles are defined in role-permissions.ts. */
  role_permissions: {
    role_id: number
    permission: string
    /**
     * Environment in which the permission is valid. Null if the permission is valid in all environments or does not
     * depend on environments.
     */
    environment: string | null
    /**
     * 1 if the administrator explicitly chose all environments. 0 with a null environment means that the permission was
     * stored before administrators could choose environments.
     */
    all_environments: Generated<Bit>
  }
  groups: {
    id: Generated<number>
    name: string
    description: string | null
    /** Names of groups at the single sign-on provider; their members become members of this group. */
    mappings_sso: Json<string[]>
    /** Id of a role (type 'root' or 'root-custom') that all members have in addition to their own root role. */
    root_role: number | null
    created_by: string
    created_at: Millis
    scim_id: Generated<string | null>
    scim_external_id: Generated<string | null>
  }
  /** Members sorted by `position`; members with equal positions are sorted by id. */
  group_members: {
    group_id: number
    user_id: number
    joined_at: Millis
    created_by: string
    position: Generated<number>
  }
  /** Roles of all members of a group in a project. */
  project_groups: { project: string; group_id: number; role_id: number; created_at: Millis }
  login_history: {
    id: Generated<number>
    /** Username of the account; empty if no account matches the name that was entered. */
    username: string
    auth_type: string
    created_at: Millis
    successful: Bit
    ip: string | null
    failure_reason: string | null
  }
}
