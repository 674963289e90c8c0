import { MultiSelect, Radio, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { addMembers, type Member, people } from '../api/members.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { callName } from '../api/users.ts'
import { PEOPLE_TEXTS } from '../text/people.ts'
import { useCatalogue } from '../text/texts.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { Form } from '../ui/form/form.tsx'
import { tellDone } from '../ui/messages/feedback.ts'
import { Loaded } from '../ui/page/list-page.tsx'
import { PROJECT_SETTING_TEXTS } from './texts.ts'

const OWNER = 4
const MEMBER = 5

/** Roles in a project. */
export const PROJECT_ROLES: readonly number[] = [OWNER, MEMBER]

interface Props {
  readonly project: string
  readonly members: readonly Member[]
  readonly opened: boolean
  readonly close: () => void
}

/** Gives people a role in a project. */
export function AddMembersDialog({ opened, ...props }: Props) {
  const { members: own } = useCatalogue(PROJECT_SETTING_TEXTS)
  return (
    <Dialog title={own.add} opened={opened} close={props.close}>
      <AddForm {...props} />
    </Dialog>
  )
}

function AddForm({ project, members, close }: Omit<Props, 'opened'>) {
  const { members: own } = useCatalogue(PROJECT_SETTING_TEXTS)
  const { roles } = useCatalogue(PEOPLE_TEXTS)
  const answer = useQuery({ queryKey: ['people'], queryFn: people })
  const [chosen, setChosen] = useState<string[]>([])
  const [role, setRole] = useState(String(MEMBER))
  const refetch = useRefetch()
  const save = useMutation({
    mutationFn: () => addMembers(project, chosen.map(Number), Number(role)),
    onSuccess: async () => {
      await refetch(['members'], ['projects'], ['project'], ['events'], ['me'])
      close()
      tellDone(own.added(chosen.length))
    },
  })
  const isNew = ({ id }: { id: number }): boolean => members.every((member) => member.id !== id)
  return (
    <Loaded answer={answer}>
      {(all) =>
        all.some(isNew) ? (
          <Form
            {...{ save, close }}
            draft={[chosen, role]}
            isReady={chosen.length > 0}
            submit={() => save.mutate()}
            action={own.add}
          >
            <MultiSelect
              label={own.people}
              placeholder={chosen.length === 0 ? own.choose : ''}
              data={all.filter(isNew).map((one) => ({ value: String(one.id), label: labelOf(one) }))}
              value={chosen}
              searchable
              openOnFocus={false}
              data-autofocus
              onChange={setChosen}
            />
            <Radio.Group label={own.role} value={role} onChange={setRole}>
              <Stack gap="xs" mt={4}>
                {PROJECT_ROLES.map((one) => (
                  <Radio key={one} value={String(one)} label={roles[one]?.name} description={roles[one]?.text} />
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

function labelOf(person: Parameters<typeof callName>[0]): string {
  const name = callName(person)
  return person.email === undefined || person.email === name ? name : `${name} (${person.email})`
}
