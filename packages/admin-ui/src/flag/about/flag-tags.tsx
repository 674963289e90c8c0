import type { AdminFeature } from '@burgee/protocol/admin-feature'
import type { Tag } from '@burgee/protocol/event'
import { Button, CloseButton, Group, Popover } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { addTag, removeTag } from '../../api/flags.ts'
import { useRefetch } from '../../api/use-refetch.ts'
import { TagFields } from '../../flags/tag-fields.tsx'
import { usePermissionCheck } from '../../shell/session/session.tsx'
import { useTexts } from '../../text/texts.tsx'
import { showFailure } from '../../ui/messages/feedback.ts'
import { MovingList } from '../../ui/motion/moving-list.tsx'
import styles from '../flag.module.css'
import { FLAG_TEXTS } from '../texts.ts'

/** Tags of a flag, which can be added and removed. */
export function FlagTags({ flag }: { flag: AdminFeature }) {
  const t = useTexts(FLAG_TEXTS)
  const refetch = useRefetch()
  const mayUpdate = usePermissionCheck()('UPDATE_FEATURE', { project: flag.project }) && !flag.archived
  const change = useMutation({
    mutationFn: async ({ tag, add }: { tag: Tag; add: boolean }): Promise<void> => {
      await (add ? addTag(flag.name, tag) : removeTag(flag.name, tag))
    },
    onSuccess: () => refetch(['flag', flag.project, flag.name]),
    onError: (error) => showFailure(t, t.flag.tags, error),
  })
  return (
    <MovingList as="ul" className={styles.tags} aria-label={t.flag.tags}>
      {flag.tags.map((tag) => (
        <li key={`${tag.type}:${tag.value}`} className={styles.tag}>
          {tag.type}:{tag.value}
          {mayUpdate && (
            <CloseButton
              size="xs"
              aria-label={t.flag.removeTag(`${tag.type}:${tag.value}`)}
              onClick={() => change.mutate({ tag, add: false })}
            />
          )}
        </li>
      ))}
      {mayUpdate && (
        <li>
          <NewTag add={(tag) => change.mutate({ tag, add: true })} />
        </li>
      )}
    </MovingList>
  )
}

function NewTag({ add }: { add: (tag: Tag) => void }) {
  const t = useTexts(FLAG_TEXTS)
  const [isOpen, setOpen] = useState(false)
  const [tag, setTag] = useState<Tag>({ type: 'simple', value: '' })
  const submit = (event: React.FormEvent): void => {
    event.preventDefault()
    add(tag)
    setTag({ ...tag, value: '' })
    setOpen(false)
  }
  return (
    <Popover opened={isOpen} onChange={setOpen} trapFocus withArrow>
      <Popover.Target>
        <Button size="compact-sm" variant="subtle" onClick={() => setOpen(!isOpen)}>
          + {t.flag.addTag}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t.flag.addTag}>
        <Group component="form" align="flex-end" gap="xs" onSubmit={submit}>
          <TagFields tag={tag} put={setTag} />
          <Button type="submit">{t.common.add}</Button>
        </Group>
      </Popover.Dropdown>
    </Popover>
  )
}
