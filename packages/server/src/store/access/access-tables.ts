import type { Generated } from 'kysely'
import type { Bit, Json, Millis } from '../columns.ts'

/** Where a role holds, and whether this installation made it. */
export type RoleType = 'root' | 'project' | 'root-custom' | 'custom'

/** Tables around who may what. */
export interface AccessTables {
  users: {
    id: Generated<number>
    username: string | null
    email: string | null
    name: string | null
    /** Empty: there is no password, and so no login by one. */
    password_hash: string
    /** Id of a role of the type 'root' or 'root-custom': 1 Admin, 2 Editor, 3 Viewer, or one that was made. */
    root_role: number
    must_change_password: Bit
    login_attempts: number
    created_at: Millis
    seen_at: Millis | null
    /** Whether this is a program: it has tokens, and never a password. */
    is_service: Generated<Bit>
    /** Where a picture is; null for one that is made from name or address. */
    image_url: Generated<string | null>
    scim_id: Generated<string | null>
    /** How the directory of people calls the account. */
    scim_external_id: Generated<string | null>
    /** 0 where a directory of people has taken away that somebody comes in; everything else stays. */
    active: Generated<Bit>
    /** Set by servers of the version before for an address that its holder entered; `address_verified` replaces it. */
    own_email: Generated<Bit>
    /** 1 if an administrator or an identity source set the e-mail address; 0 if the holder of the account or an import did. */
    address_verified: Bit
  }
  /** Networks from which an account has logged in. */
  known_networks: { user_id: number; network_hash: string; seen_at: Millis }
  project_members: {
    project: string
    user_id: number
    /** Id of a role of the type 'project' or 'custom': 4 Owner, 5 Member, or one that was made. */
    role_id: number
    /** Null where it was given before this was noted. */
    created_at: Generated<Millis | null>
  }
  roles: {
    id: Generated<number>
    name: string
    description: string
    type: RoleType
  }
  /** Of roles that were made; what the others may is said in role-permissions.ts. */
  role_permissions: {
    role_id: number
    permission: string
    /** Null: in all environments, for permissions that hold in environments. */
    environment: string | null
    /** 1 if somebody chose all environments; 0 with a null environment is a role from before that choice was required. */
    all_environments: Generated<Bit>
  }
  groups: {
    id: Generated<number>
    name: string
    description: string | null
    /** Names under which single sign-on knows the group. */
    mappings_sso: Json<string[]>
    /** Id of a role of the type 'root' or 'root-custom' that all members have besides their own. */
    root_role: number | null
    created_by: string
    created_at: Millis
    scim_id: Generated<string | null>
    scim_external_id: Generated<string | null>
  }
  group_members: { group_id: number; user_id: number; joined_at: Millis; created_by: string }
  /** Roles that all members of a group have in a project. */
  project_groups: { project: string; group_id: number; role_id: number; created_at: Millis }
  login_history: {
    id: Generated<number>
    /** Name of the account; empty where there was none of the name that was sent. */
    username: string
    auth_type: string
    created_at: Millis
    successful: Bit
    ip: string | null
    failure_reason: string | null
  }
}
