import { ALL_ENVIRONMENTS } from '@burgee/protocol/administration/permission'
import type { Role } from '@burgee/protocol/user'
import { useQuery } from '@tanstack/react-query'
import { fetchRole } from '../api/access/roles.ts'
import { PEOPLE_TEXTS } from '../text/people.ts'
import { useCatalogue } from '../text/texts.tsx'
import { SidePanel } from '../ui/dialog/side-panel.tsx'
import { Loaded } from '../ui/page/list-page.tsx'
import { PERMISSION_NAMES } from './permission-names.ts'
import type { GrantedPermission } from './permission-selection.ts'
import { ROLE_TEXTS } from './texts.ts'

interface Props {
  readonly role: Pick<Role, 'id' | 'name'>
  readonly close: () => void
}

/** Panel with the permissions of a built-in role, which cannot be changed. */
export function RoleView({ role: { id, name }, close }: Props) {
  const t = useCatalogue(ROLE_TEXTS)
  const { roles } = useCatalogue(PEOPLE_TEXTS)
  const answer = useQuery({ queryKey: ['role', id], queryFn: () => fetchRole(id) })
  return (
    <SidePanel title={name} close={close}>
      <p>{roles[id]?.text}</p>
      <Loaded answer={answer}>{({ permissions }) => <Rights permissions={permissions} />}</Loaded>
      <p>{t.fixed}</p>
    </SidePanel>
  )
}

function Rights({ permissions }: { permissions: readonly GrantedPermission[] }) {
  const t = useCatalogue(ROLE_TEXTS)
  const words = useCatalogue(PERMISSION_NAMES)
  const isAdmin = permissions.some(({ name }) => name === 'ADMIN')
  if (isAdmin) return <p>{t.allRights}</p>
  if (permissions.length === 0) return <p>{t.noRights}</p>
  const label = ([name, environments]: [string, readonly string[]]): string => {
    const word = words[name] ?? name
    return environments.includes(ALL_ENVIRONMENTS) ? word : t.inOne(word, environments.join(', '))
  }
  const labels = [...groupEnvironments(permissions)].map(label).sort((one, other) => one.localeCompare(other))
  return (
    <ul aria-label={t.rights}>
      {labels.map((one) => (
        <li key={one}>{one}</li>
      ))}
    </ul>
  )
}

/** Returns the environments of each permission. A permission that does not depend on environments has all of them. */
function groupEnvironments(permissions: readonly GrantedPermission[]): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const { name, environment = ALL_ENVIRONMENTS } of permissions) {
    found.set(name, [...(found.get(name) ?? []), environment])
  }
  return found
}
