import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { cloneFlag, type FlagRef } from '../api/flags.ts'
import { usePageTexts } from '../text/page.ts'
import { useTexts } from '../text/texts.tsx'
import { tellDone } from '../ui/feedback.tsx'
import { messageOf } from '../ui/problem.tsx'
import { useFocusBack } from '../ui/use-focus-back.ts'
import { useRenew } from '../ui/use-renew.ts'

/** Makes a new flag of what another one has; leads to its page. */
export function CopyFlag({ project, feature, close }: FlagRef & { close: () => void }) {
  const t = useTexts()
  useFocusBack()
  const words = usePageTexts()
  const renew = useRenew()
  const navigate = useNavigate()
  const [name, setName] = useState(`${feature}-copy`)
  const save = useMutation({
    mutationFn: () => cloneFlag({ project, feature }, { name: name.trim(), replaceGroupId: true }),
    onSuccess: async (copy) => {
      close()
      await renew(['flags', project])
      await navigate({ to: '/projects/$project/features/$feature', params: { project, feature: copy.name } })
      tellDone(words.copied(copy.name))
    },
  })
  const submit = (event: React.FormEvent): void => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <Modal opened onClose={close} title={words.cloneTitle(feature)} closeButtonProps={{ 'aria-label': t.common.close }}>
      <Stack component="form" onSubmit={submit}>
        <Text size="sm">{words.cloneText}</Text>
        <TextInput
          label={words.cloneName}
          description={t.flags.nameHint}
          value={name}
          maxLength={100}
          required
          data-autofocus
          error={save.error === null ? undefined : messageOf(save.error, t.errors.offline)}
          onChange={(event) => {
            save.reset()
            setName(event.currentTarget.value)
          }}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t.common.cancel}
          </Button>
          <Button type="submit" loading={save.isPending} disabled={name.trim() === ''}>
            {t.flags.create}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
