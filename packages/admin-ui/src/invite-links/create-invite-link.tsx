import type { InviteLink } from '@burgee/protocol/administration/invite-link'
import { Button, Group, Select, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { createInviteLink } from '../api/access/invite-links.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { toReachableLink } from '../api/users.ts'
import { useCatalogue } from '../text/texts.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { NameField } from '../ui/form/fields.tsx'
import { Form } from '../ui/form/form.tsx'
import { CodeBlock } from '../ui/page/code-block.tsx'
import { InitialRoles, NO_MEMBERSHIP, toInitialRoles } from '../users/initial-roles.tsx'
import { getTimeInDays } from './days-from-now.ts'
import { INVITE_LINK_TEXTS } from './texts.ts'

/** Dialog that creates an invite link and then shows it for copying. */
export function CreateInviteLink({ close }: { close: () => void }) {
  const t = useCatalogue(INVITE_LINK_TEXTS)
  const [made, setMade] = useState<InviteLink>()
  return (
    <Dialog title={made === undefined ? t.create : t.onceTitle} close={close}>
      {made === undefined ? (
        <Fields made={setMade} close={close} />
      ) : (
        <Stack>
          <Text>{t.onceText}</Text>
          <CodeBlock code={toReachableLink(made.url)} label={t.link} isWhole />
          <Group justify="flex-end">
            <Button onClick={close}>{t.done}</Button>
          </Group>
        </Stack>
      )}
    </Dialog>
  )
}

function Fields({ made, close }: { made: (link: InviteLink) => void; close: () => void }) {
  const t = useCatalogue(INVITE_LINK_TEXTS)
  const refetch = useRefetch()
  const [name, setName] = useState('')
  const [days, setDays] = useState('7')
  const [membership, setMembership] = useState(NO_MEMBERSHIP)
  const save = useMutation({
    mutationFn: () =>
      createInviteLink({
        name: name.trim(),
        expiresAt: getTimeInDays(Number(days)),
        projectRoles: toInitialRoles(membership),
      }),
    onSuccess: async (link) => {
      made(link)
      await refetch(['invite-links'], ['events'])
    },
  })
  return (
    <Form
      save={save}
      close={close}
      action={t.create}
      draft={[name, days, membership]}
      isReady={name.trim() !== ''}
      submit={() => save.mutate()}
    >
      <NameField label={t.name} hint={t.nameHint} value={name} maxLength={100} isFirst put={setName} />
      <Select
        label={t.valid}
        data={Object.entries(t.days).map(([value, label]) => ({ value, label }))}
        value={days}
        allowDeselect={false}
        onChange={(value) => setDays(value ?? days)}
      />
      <InitialRoles value={membership} put={setMembership} />
    </Form>
  )
}
