import type { RoleWithPermissions } from '@burgee/protocol/administration/role'
import { Radio, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { createRole, type PermissionTable, permissions, role, updateRole } from '../api/access/roles.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { useCatalogue } from '../text/texts.tsx'
import { SidePanel } from '../ui/dialog/side-panel.tsx'
import { DescriptionField, NameField } from '../ui/form/fields.tsx'
import { Form } from '../ui/form/form.tsx'
import { tellDone } from '../ui/messages/feedback.ts'
import { Loaded } from '../ui/page/list-page.tsx'
import { type Chosen, chosenOf, givenBy } from './chosen.ts'
import { EnvironmentMatrix, PermissionList } from './permission-choice.tsx'
import { ROLE_TEXTS } from './texts.ts'

interface Props {
  /** Which role is changed; undefined for a new one. */
  readonly id: number | undefined
  readonly close: () => void
}

/** Makes a role, or changes what it gives: rights of everywhere and of projects, and a table of rights by environments. */
export function RoleEditor({ id, close }: Props) {
  const t = useCatalogue(ROLE_TEXTS)
  const table = useQuery({ queryKey: ['permissions'], queryFn: permissions })
  const opened = useQuery({
    queryKey: ['opened', 'role', id],
    queryFn: () => role(id ?? 0),
    enabled: id !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  return (
    <SidePanel title={id === undefined ? t.create : t.edit} close={close} isWide>
      <Loaded answer={table}>
        {(all) =>
          id === undefined ? (
            <RoleForm table={all} opened={undefined} close={close} />
          ) : (
            <Loaded answer={opened}>{(found) => <RoleForm table={all} opened={found} close={close} />}</Loaded>
          )
        }
      </Loaded>
    </SidePanel>
  )
}

interface FormProps {
  readonly table: PermissionTable
  readonly opened: RoleWithPermissions | undefined
  readonly close: () => void
}

type Kind = 'custom' | 'root-custom'

function RoleForm({ table, opened, close }: FormProps) {
  const t = useCatalogue(ROLE_TEXTS)
  const [name, setName] = useState(opened?.name ?? '')
  const [description, setDescription] = useState(opened?.description ?? '')
  const [kind, setKind] = useState<Kind>(opened?.type === 'root-custom' ? 'root-custom' : 'custom')
  const [chosen, setChosen] = useState<Chosen>(() => chosenOf(opened?.permissions ?? []))
  const given = givenBy(chosen, kind === 'root-custom' ? [] : table.root.map((one) => one.name))
  const body = { name: name.trim(), description: description.trim(), type: kind, permissions: given }
  const refetch = useRefetch()
  const save = useMutation({
    mutationFn: () => (opened === undefined ? createRole(body) : updateRole(opened.id, body)),
    onSuccess: async () => {
      await refetch(['roles'], ['me'], ['events'])
      close()
      tellDone(opened === undefined ? t.created(body.name) : t.saved(body.name))
    },
  })
  const common = { chosen, put: setChosen }
  return (
    <Form
      {...{ save, close, isReady: body.name !== '' }}
      draft={body}
      submit={() => save.mutate()}
      isLong
      {...(opened === undefined ? { action: t.create } : {})}
    >
      <NameField value={name} maxLength={100} isFirst put={setName} />
      <DescriptionField value={description} maxLength={1000} put={setDescription} />
      {opened === undefined && <KindChoice kind={kind} put={setKind} />}
      {kind === 'root-custom' && (
        <PermissionList title={t.ofEverywhere} names={table.root.map((one) => one.name)} {...common} />
      )}
      <PermissionList title={t.ofProjects} names={table.project.map((one) => one.name)} {...common} />
      <EnvironmentMatrix environments={table.environments} {...common} />
      <Text size="sm" c="dimmed" role="status">
        {t.count(given.length)}
      </Text>
    </Form>
  )
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
