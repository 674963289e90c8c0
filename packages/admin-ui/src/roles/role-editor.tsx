import { ALL_ENVIRONMENTS } from '@burgee/protocol/administration/permission'
import type { RoleInput, RoleWithPermissions } from '@burgee/protocol/administration/role'
import { Alert, Radio, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  createRole,
  fetchPermissions,
  type PermissionTable,
  fetchRole as readRole,
  updateRole,
} from '../api/access/roles.ts'
import { findLastEvent } from '../api/events.ts'
import type { WithEtag } from '../api/http.ts'
import { ConflictNotice } from '../edit-conflict/conflict-notice.tsx'
import { EditorLoader } from '../edit-conflict/editor-loader.tsx'
import { replaceIfUnchanged, withoutEtag } from '../edit-conflict/replace-if-unchanged.ts'
import { useConditionalSave } from '../edit-conflict/use-conditional-save.ts'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { SidePanel } from '../ui/dialog/side-panel.tsx'
import { DescriptionField, NameField } from '../ui/form/fields.tsx'
import { Form } from '../ui/form/form.tsx'
import { showSuccess } from '../ui/messages/feedback.ts'
import { Loaded } from '../ui/page/list-page.tsx'
import { EnvironmentMatrix, PermissionList } from './permission-choice.tsx'
import { PERMISSION_NAMES } from './permission-names.ts'
import {
  type GrantedPermission,
  type PermissionSelection,
  toGrantedPermissions,
  toPermissionSelection,
} from './permission-selection.ts'
import { ROLE_TEXTS } from './texts.ts'

interface Props {
  /** Id of the edited role; undefined for a new role. */
  readonly id: number | undefined
  /** Permissions of the role that were saved without naming an environment. */
  readonly implicit: readonly string[]
  readonly close: () => void
}

/**
 * Panel that creates or edits a role with its root, project and environment permissions, and reports concurrent
 * changes.
 */
export function RoleEditor({ id, implicit, close }: Props) {
  const t = useCatalogue(ROLE_TEXTS)
  const table = useQuery({ queryKey: ['permissions'], queryFn: fetchPermissions })
  return (
    <SidePanel title={id === undefined ? t.create : t.edit} close={close} isWide>
      <Loaded answer={table}>
        {(all) => (
          <EditorLoader of={id === undefined ? undefined : ['role', id]} read={() => withoutEtag(readRole(id ?? 0))}>
            {(opened) => <RoleForm table={all} opened={opened} implicit={implicit} close={close} />}
          </EditorLoader>
        )}
      </Loaded>
    </SidePanel>
  )
}

interface FormProps {
  readonly table: PermissionTable
  readonly opened: WithEtag<RoleWithPermissions> | undefined
  readonly implicit: readonly string[]
  readonly close: () => void
}

type Kind = 'custom' | 'root-custom'

function RoleForm({ table, opened, implicit, close }: FormProps) {
  const t = useCatalogue(ROLE_TEXTS)
  const permissionNames = useCatalogue(PERMISSION_NAMES)
  const [draft, setDraft] = useState(() => toDraft(opened?.value))
  const put = (change: Partial<Draft>): void => setDraft({ ...draft, ...change })
  const { save, conflict, take } = useSave({ opened, close, table }, (theirs) => setDraft(toDraft(theirs)))
  const shown = useRoleFormatter()
  const body = toInput(draft, table)
  const over = conflict && {
    notice: (
      <ConflictNotice
        kind="role"
        event={conflict.event}
        theirs={{ body: shown(toInput(toDraft(conflict.theirs), table)) }}
        mine={{ body: shown(body) }}
      />
    ),
    take,
  }
  const { name, description, kind, chosen } = draft
  const common = { chosen, put: (next: PermissionSelection) => put({ chosen: next }) }
  return (
    <Form
      save={save}
      close={close}
      draft={body}
      conflict={over}
      isReady={body.name !== ''}
      submit={() => save.mutate(body)}
      isLong
      {...(opened === undefined ? { action: t.create } : {})}
    >
      <NameField value={name} maxLength={100} isFirst put={(next) => put({ name: next })} />
      <DescriptionField value={description} maxLength={1000} put={(next) => put({ description: next })} />
      {opened === undefined && <KindChoice kind={kind} put={(next) => put({ kind: next })} />}
      {kind === 'root-custom' && (
        <PermissionList title={t.ofEverywhere} names={table.root.map((one) => one.name)} {...common} />
      )}
      <PermissionList title={t.ofProjects} names={table.project.map((one) => one.name)} {...common} />
      {implicit.length > 0 && (
        <Alert color="yellow" title={t.implicitTitle}>
          {t.implicitText(implicit.map((name) => permissionNames[name] ?? name).join(', '))}
        </Alert>
      )}
      <EnvironmentMatrix environments={table.environments} {...common} />
      <Text size="sm" c="dimmed" role="status">
        {t.count(body.permissions.length)}
      </Text>
    </Form>
  )
}

interface Draft {
  readonly name: string
  readonly description: string
  readonly kind: Kind
  readonly chosen: PermissionSelection
}

const toDraft = (role: RoleWithPermissions | undefined): Draft => ({
  name: role?.name ?? '',
  description: role?.description ?? '',
  kind: role?.type === 'root-custom' ? 'root-custom' : 'custom',
  chosen: toPermissionSelection(role?.permissions ?? []),
})

type RoleBody = Omit<RoleInput, 'permissions'> & { readonly permissions: GrantedPermission[] }

function toInput({ name, description, kind, chosen }: Draft, table: PermissionTable): RoleBody {
  const given = toGrantedPermissions(chosen, kind === 'root-custom' ? [] : table.root.map((one) => one.name))
  return { name: name.trim(), description: description.trim(), type: kind, permissions: given }
}

/** Returns a function that formats a role for display, one line per permission. */
function useRoleFormatter(): (body: RoleBody) => Readonly<Record<string, unknown>> {
  const t = useCatalogue(ROLE_TEXTS)
  const { name: nameWord, description: descriptionWord } = useTexts().common
  const said = useCatalogue(PERMISSION_NAMES)
  const right = ({ name, environment }: GrantedPermission): string => {
    const label = said[name] ?? name
    if (environment === undefined) return label
    return environment === ALL_ENVIRONMENTS ? t.inAll(label) : t.inOne(label, environment)
  }
  return ({ name, description, permissions }) => ({
    [nameWord]: name,
    [descriptionWord]: description,
    ...Object.fromEntries(permissions.map((one) => [right(one), t.given])),
  })
}

function useSave({ opened, close, table }: Omit<FormProps, 'implicit'>, begin: (theirs: RoleWithPermissions) => void) {
  const t = useCatalogue(ROLE_TEXTS)
  const bodyOf = (role: RoleWithPermissions): RoleBody => toInput(toDraft(role), table)
  return useConditionalSave<RoleWithPermissions, RoleBody>({
    opened,
    begin,
    bodyOf,
    create: createRole,
    replace: (from, body) =>
      replaceIfUnchanged(from, { read: () => readRole(from.id), bodyOf }, () => updateRole(from.id, body)),
    read: ({ id }) => withoutEtag(readRole(id)),
    lastChange: (role) => findLastEvent({ type: 'role-updated' }, ({ id }) => id === role.id),
    changes: [['roles'], ['me']],
    done: ({ name }) => {
      close()
      showSuccess(opened === undefined ? t.created(name) : t.saved(name))
    },
  })
}

function KindChoice({ kind, put }: { kind: Kind; put: (kind: Kind) => void }) {
  const t = useCatalogue(ROLE_TEXTS)
  return (
    <Radio.Group label={t.kind} value={kind} onChange={(value) => put(value as Kind)}>
      <Stack gap="xs" mt={4}>
        <Radio value="custom" label={t.inProjects} description={t.inProjectsText} />
        <Radio value="root-custom" label={t.everywhere} description={t.everywhereText} />
      </Stack>
    </Radio.Group>
  )
}
