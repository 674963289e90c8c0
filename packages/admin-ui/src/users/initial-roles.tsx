import type { InitialRole } from '@burgee/protocol/user'
import { MultiSelect, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { isRootRole, ROLES_QUERY } from '../api/access/roles.ts'
import { PROJECTS } from '../api/queries.ts'
import { useCatalogue } from '../text/texts.tsx'
import { USER_TEXTS } from './texts.ts'

/** Projects in which a new user gets a role, and that role. */
export interface ProjectMembership {
  readonly projects: readonly string[]
  readonly role: number
}

const MEMBER_ROLE_ID = 5
/** Maximum number of initial roles that the API accepts. */
const MAX_PROJECTS = 50

/** Membership of a user who joins no project. */
export const NO_MEMBERSHIP: ProjectMembership = { projects: [], role: MEMBER_ROLE_ID }

/** Converts a membership to the roles in an API request. */
export const toInitialRoles = ({ projects, role }: ProjectMembership): InitialRole[] =>
  projects.map((project) => ({ project, role }))

interface Props {
  readonly value: ProjectMembership
  readonly put: (value: ProjectMembership) => void
}

/** Fields for the projects that a new user joins, and for the role in them. */
export function InitialRoles({ value: { projects, role }, put }: Props) {
  const { users: t } = useCatalogue(USER_TEXTS)
  const { data: all = [] } = useQuery(PROJECTS)
  const { data: roles = [] } = useQuery(ROLES_QUERY)
  const choices = roles.filter((one) => !isRootRole(one)).map(({ id, name }) => ({ value: String(id), label: name }))
  return (
    <>
      <MultiSelect
        label={t.joins}
        description={t.joinsHint}
        data={all.map(({ id, name }) => ({ value: id, label: name }))}
        value={[...projects]}
        searchable
        maxValues={MAX_PROJECTS}
        openOnFocus={false}
        onChange={(chosen) => put({ projects: chosen, role })}
      />
      {projects.length > 0 && (
        <Select
          label={t.projectRole}
          data={choices}
          value={String(role)}
          allowDeselect={false}
          onChange={(next) => put({ projects, role: Number(next ?? role) })}
        />
      )}
    </>
  )
}
