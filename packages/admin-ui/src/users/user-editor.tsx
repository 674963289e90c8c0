import type { User } from '@burgee/protocol/access'
import { Radio, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isRootRole, ROLES_QUERY } from '../api/access/roles.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { createUser, getDisplayName, updateUser } from '../api/users.ts'
import { ME } from '../shell/session/session.tsx'
import { PEOPLE_TEXTS } from '../text/people.ts'
import { useCatalogue } from '../text/texts.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { isEmail } from '../ui/form/email.ts'
import { Form } from '../ui/form/form.tsx'
import { showSuccess } from '../ui/messages/feedback.ts'
import ui from '../ui/ui.module.css'
import { generatePassword } from './generated-password.ts'
import { InitialRoles, NO_MEMBERSHIP, type ProjectMembership, toInitialRoles } from './initial-roles.tsx'
import {
  type AccessMethod,
  AccessMethodChoice,
  createCredential,
  type OneTimeCredential,
} from './one-time-credential.tsx'
import { USER_TEXTS } from './texts.ts'

const VIEWER = 3

interface Props {
  readonly opened: boolean
  /** Edited user; undefined for a new user. */
  readonly user: User | undefined
  readonly close: () => void
  readonly made: (pass: OneTimeCredential) => void
}

/** Dialog that creates a user with a link or a generated password, or changes the name, address and role. */
export function UserEditor({ opened, ...props }: Props) {
  const { users: own } = useCatalogue(USER_TEXTS)
  return (
    <Dialog title={props.user === undefined ? own.create : own.edit} opened={opened} close={props.close}>
      <UserForm {...props} />
    </Dialog>
  )
}

interface Draft {
  readonly name: string
  readonly username: string
  readonly email: string
  readonly rootRole: number
  readonly way: AccessMethod
  readonly membership: ProjectMembership
}

function UserForm({ user, close, made }: Omit<Props, 'opened'>) {
  const { users: own } = useCatalogue(USER_TEXTS)
  const [draft, setDraft] = useState<Draft>({
    name: user?.name ?? '',
    username: user?.username ?? '',
    email: user?.email ?? '',
    rootRole: user?.rootRole ?? VIEWER,
    way: 'link',
    membership: NO_MEMBERSHIP,
  })
  const put = (change: Partial<Draft>): void => setDraft({ ...draft, ...change })
  const save = useSave(user, close, made)
  const isEmailGood = draft.email.trim() === '' || isEmail(draft.email)
  const isReady = isEmailGood && (draft.username.trim() !== '' || draft.email.trim() !== '')
  return (
    <Form
      save={save}
      draft={draft}
      close={close}
      isReady={isReady}
      submit={() => save.mutate(draft)}
      {...(user === undefined ? { action: own.create } : {})}
    >
      <TextInput
        label={own.fullName}
        value={draft.name}
        maxLength={200}
        data-autofocus
        onChange={(event) => put({ name: event.currentTarget.value })}
      />
      {user === undefined && (
        <Text size="sm" c="dimmed">
          {own.oneOfThem}
        </Text>
      )}
      <div className={ui.columns}>
        <TextInput
          label={own.username}
          value={draft.username}
          maxLength={100}
          readOnly={user !== undefined}
          onChange={(event) => put({ username: event.currentTarget.value })}
        />
        <TextInput
          label={own.email}
          value={draft.email}
          maxLength={254}
          error={!isEmailGood && own.emailBad}
          onChange={(event) => put({ email: event.currentTarget.value })}
        />
      </div>
      <RoleChoice role={draft.rootRole} put={(rootRole) => put({ rootRole })} />
      {user === undefined && <InitialRoles value={draft.membership} put={(membership) => put({ membership })} />}
      {user === undefined && (
        <AccessMethodChoice way={draft.way} put={(way) => put({ way })} texts={[own.byLinkText, own.byPasswordText]} />
      )}
    </Form>
  )
}

function RoleChoice({ role, put }: { role: number; put: (role: number) => void }) {
  const { users: own } = useCatalogue(USER_TEXTS)
  const { roles } = useCatalogue(PEOPLE_TEXTS)
  const { data: known = [] } = useQuery(ROLES_QUERY)
  return (
    <Radio.Group label={own.role} value={String(role)} onChange={(value) => put(Number(value))}>
      <Stack gap="xs" mt={4}>
        {known.filter(isRootRole).map(({ id, name, description }) => (
          <Radio key={id} value={String(id)} label={name} description={roles[id]?.text ?? description} />
        ))}
      </Stack>
    </Radio.Group>
  )
}

function useSave(user: User | undefined, close: () => void, made: Props['made']) {
  const { users: own } = useCatalogue(USER_TEXTS)
  const refetch = useRefetch()
  return useMutation({
    mutationFn: async ({
      way,
      rootRole,
      membership,
      ...typed
    }: Draft): Promise<{ user: User; pass?: OneTimeCredential }> => {
      const [name, username, email] = [typed.name, typed.username, typed.email].map((text) => text.trim() || undefined)
      const common = { rootRole, ...(email === undefined ? {} : { email }) }
      if (user !== undefined) return { user: await updateUser(user.id, { ...common, name: name ?? '' }) }
      const password = generatePassword((bytes) => crypto.getRandomValues(bytes))
      const created = await createUser({
        ...common,
        ...(name === undefined ? {} : { name }),
        ...(username === undefined ? {} : { username }),
        ...(membership.projects.length > 0 ? { projectRoles: toInitialRoles(membership) } : {}),
        ...(way === 'password' ? { password, mustChangePassword: true } : {}),
      })
      return { user: created, pass: createCredential(created, way, created.inviteLink ?? password) }
    },
    onSuccess: async ({ user: saved, pass }) => {
      await refetch(['users'], ['people'], ['members'], ['projects'], ['events'], ME.queryKey)
      close()
      showSuccess(pass === undefined ? own.saved(getDisplayName(saved)) : own.created(getDisplayName(saved)))
      if (pass !== undefined) made(pass)
    },
  })
}
