import { MultiSelect, Radio, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { addMembers, type Candidate, fetchCandidates, type ProjectMembers } from '../api/members.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { PEOPLE_TEXTS } from '../text/people.ts'
import { useCatalogue } from '../text/texts.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { Form } from '../ui/form/form.tsx'
import { showSuccess } from '../ui/messages/feedback.ts'
import { Loaded } from '../ui/page/list-page.tsx'
import { PROJECT_SETTING_TEXTS } from './texts.ts'

const MEMBER_ROLE_ID = 5

interface Props {
  readonly project: string
  /** Current members and the available roles. */
  readonly access: ProjectMembers
  readonly opened: boolean
  readonly close: () => void
}

/** Dialog that assigns a role in a project to users and groups. */
export function AddMembersDialog({ opened, ...props }: Props) {
  const { members: own } = useCatalogue(PROJECT_SETTING_TEXTS)
  return (
    <Dialog title={own.add} opened={opened} close={props.close}>
      <AddForm {...props} />
    </Dialog>
  )
}

function AddForm({ project, access, close }: Omit<Props, 'opened'>) {
  const { members: own } = useCatalogue(PROJECT_SETTING_TEXTS)
  const { roles } = useCatalogue(PEOPLE_TEXTS)
  const answer = useQuery({ queryKey: ['people'], queryFn: fetchCandidates })
  const [chosen, setChosen] = useState<string[]>([])
  const [role, setRole] = useState(String(MEMBER_ROLE_ID))
  const refetch = useRefetch()
  const save = useMutation({
    mutationFn: () =>
      addMembers(
        project,
        (answer.data ?? []).filter((one) => chosen.includes(getKey(one))),
        Number(role),
      ),
    onSuccess: async () => {
      await refetch(['members'], ['projects'], ['project'], ['events'], ['me'])
      close()
      showSuccess(own.added(chosen.length))
    },
  })
  const isNew = (one: Candidate): boolean => access.members.every((member) => getKey(member) !== getKey(one))
  return (
    <Loaded answer={answer}>
      {(all) =>
        all.some(isNew) ? (
          <Form
            save={save}
            close={close}
            draft={[chosen, role]}
            isReady={chosen.length > 0}
            submit={() => save.mutate()}
            action={own.add}
          >
            <MultiSelect
              label={own.people}
              placeholder={chosen.length === 0 ? own.choose : ''}
              data={all.filter(isNew).map((one) => ({ value: getKey(one), label: getLabel(one, own.group) }))}
              value={chosen}
              searchable
              openOnFocus={false}
              data-autofocus
              onChange={setChosen}
            />
            <Radio.Group label={own.role} value={role} onChange={setRole}>
              <Stack gap="xs" mt={4}>
                {access.roles.map(({ id, name, description }) => (
                  <Radio key={id} value={String(id)} label={name} description={roles[id]?.text ?? description} />
                ))}
              </Stack>
            </Radio.Group>
          </Form>
        ) : (
          <Text>{own.nobodyLeft}</Text>
        )
      }
    </Loaded>
  )
}

/** Returns a key that includes the kind, because a user and a group can have the same id. */
const getKey = ({ kind, id }: Pick<Candidate, 'kind' | 'id'>): string => `${kind}-${id}`

function getLabel({ kind, name, email }: Candidate, group: string): string {
  if (kind === 'group') return `${name} (${group})`
  return email === undefined || email === name ? name : `${name} (${email})`
}
