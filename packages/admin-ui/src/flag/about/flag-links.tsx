import type { AdminFeature } from '@burgee/protocol/admin-feature'
import { Button, CloseButton, Group, Popover, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { addLink, removeLink } from '../../api/flags.ts'
import { useRefetch } from '../../api/use-refetch.ts'
import { usePermissionCheck } from '../../shell/session/session.tsx'
import { useCatalogue, useTexts } from '../../text/texts.tsx'
import { ProblemAlert } from '../../ui/form/problem-alert.tsx'
import { useAction } from '../../ui/messages/use-action.ts'
import { MovingList } from '../../ui/motion/moving-list.tsx'
import ui from '../../ui/ui.module.css'
import styles from '../flag.module.css'
import { FLAG_TEXTS } from '../texts.ts'

/** Links from a flag to related pages, such as a ticket or a document. */
export function FlagLinks({ flag }: { flag: AdminFeature }) {
  const t = useCatalogue(FLAG_TEXTS).links
  const act = useAction()
  const mayUpdate = usePermissionCheck()('UPDATE_FEATURE', { project: flag.project }) && !flag.archived
  const place = { project: flag.project, feature: flag.name }
  if (flag.links.length === 0 && !mayUpdate) return null
  return (
    <MovingList as="ul" className={styles.tags} aria-label={t.title}>
      {flag.links.map(({ id, url, title }) => (
        <li key={id} className={styles.tag}>
          <a href={url} target="_blank" rel="noreferrer" className={ui.link ?? ''}>
            {title || (URL.parse(url)?.host ?? url)}
          </a>
          {mayUpdate && (
            <CloseButton
              size="xs"
              aria-label={t.remove(title || url)}
              onClick={() =>
                void act({
                  what: t.remove(title || url),
                  run: () => removeLink(place, id),
                  done: t.removed,
                  undo: { run: () => addLink(place, { url, title: title ?? null }), done: t.back },
                  changes: ['flag'],
                })
              }
            />
          )}
        </li>
      ))}
      {mayUpdate && (
        <li>
          <NewLink place={place} />
        </li>
      )}
    </MovingList>
  )
}

function NewLink({ place }: { place: Parameters<typeof addLink>[0] }) {
  const t = useTexts()
  const own = useCatalogue(FLAG_TEXTS).links
  const refetch = useRefetch()
  const [isOpen, setOpen] = useState(false)
  const [url, setUrl] = useState('')
  const [title, setTitle] = useState('')
  const save = useMutation({
    mutationFn: () => addLink(place, { url: url.trim(), title: title.trim() === '' ? null : title.trim() }),
    onSuccess: async () => {
      await refetch(['flag', place.project, place.feature], ['events'])
      setUrl('')
      setTitle('')
      setOpen(false)
    },
  })
  const submit = (event: React.FormEvent): void => {
    event.preventDefault()
    if (!save.isPending) save.mutate()
  }
  return (
    <Popover opened={isOpen} onChange={setOpen} trapFocus withArrow>
      <Popover.Target>
        <Button size="compact-sm" variant="subtle" onClick={() => setOpen(!isOpen)}>
          + {own.add}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={own.add}>
        <form onSubmit={submit}>
          {save.error !== null && <ProblemAlert error={save.error} />}
          <Group align="flex-end" gap="xs">
            <TextInput
              type="url"
              label={own.address}
              placeholder="https://"
              value={url}
              required
              maxLength={2000}
              data-autofocus
              onChange={(event) => setUrl(event.currentTarget.value)}
            />
            <TextInput
              label={own.name}
              value={title}
              maxLength={200}
              onChange={(event) => setTitle(event.currentTarget.value)}
            />
            <Button type="submit" loading={save.isPending}>
              {t.common.add}
            </Button>
          </Group>
        </form>
      </Popover.Dropdown>
    </Popover>
  )
}
