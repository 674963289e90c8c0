import type { AdminFeature, Patch } from '@burgee/protocol/admin'
import { Button, Checkbox, Group, Menu, Modal, Select, Stack, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { reviveAll } from '../api/bulk.ts'
import { archiveFlag, patchFlag } from '../api/flags.ts'
import { usePageTexts } from '../text/page.ts'
import { useTexts } from '../text/texts.tsx'
import { useConfirm } from '../ui/confirm.tsx'
import { tellDone, tellFailed } from '../ui/feedback.tsx'
import { useMay } from '../ui/session.tsx'
import { CopyFlag } from './copy-flag.tsx'

/** What can be done with the whole flag. */
export function FlagActions({ flag }: { flag: AdminFeature }) {
  const t = useTexts()
  const words = usePageTexts()
  const may = useMay()
  const { project } = flag
  const [isEditing, setEditing] = useState(false)
  const [isCopying, setCopying] = useState(false)
  const { patch, archive, revive } = useChanges(flag)
  const mayUpdate = may('UPDATE_FEATURE', { project }) && !flag.archived
  const mayArchive = may('DELETE_FEATURE', { project }) && !flag.archived
  const mayCopy = may('CREATE_FEATURE', { project }) && !flag.archived
  if (flag.archived) {
    if (!may('UPDATE_FEATURE', { project })) return null
    return <Button onClick={() => void revive()}>{words.revive}</Button>
  }
  if (!mayUpdate && !mayArchive && !mayCopy) return null
  return (
    <Group>
      {mayUpdate && (
        <Button variant="default" onClick={() => setEditing(true)}>
          {t.flag.editDetails}
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default">
            {t.common.more}&nbsp;<span aria-hidden="true">▾</span>
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {mayUpdate && (
            <Menu.Item onClick={() => patch.mutate([{ op: 'replace', path: '/stale', value: !flag.stale }])}>
              {flag.stale ? t.flag.markActive : t.flag.markStale}
            </Menu.Item>
          )}
          {mayCopy && <Menu.Item onClick={() => setCopying(true)}>{words.clone}</Menu.Item>}
          {mayArchive && (
            <Menu.Item color="red" onClick={() => void archive()}>
              {t.flag.archive}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <Modal
        opened={isEditing}
        onClose={() => setEditing(false)}
        title={t.flag.editDetails}
        closeButtonProps={{ 'aria-label': t.common.close }}
      >
        <Details flag={flag} save={(changes) => patch.mutate(changes, { onSuccess: () => setEditing(false) })} />
      </Modal>
      {isCopying && <CopyFlag project={project} feature={flag.name} close={() => setCopying(false)} />}
    </Group>
  )
}

function useChanges({ project, name: feature }: AdminFeature) {
  const t = useTexts()
  const words = usePageTexts()
  const ask = useConfirm()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const refresh = async (): Promise<void> => {
    await Promise.all(
      [['flag', project, feature], ['flags', project], ['events']].map((queryKey) =>
        queries.invalidateQueries({ queryKey }),
      ),
    )
  }
  const patch = useMutation({
    mutationFn: (changes: Patch) => patchFlag({ project, feature }, changes),
    onSuccess: async () => {
      await refresh()
      tellDone(t.common.saved)
    },
    onError: (error) => tellFailed(t, t.common.save, error),
  })
  const archive = async (): Promise<void> => {
    const { archiveTitle, archiveText, archive: action } = t.flag
    if (!(await ask({ title: archiveTitle(feature), text: archiveText, action, isDanger: true }))) return
    try {
      await archiveFlag({ project, feature })
      await navigate({ to: '/projects/$project', params: { project } })
      await refresh()
      tellDone(t.flag.archiveDone(feature), { label: t.common.undo, run: () => void revive() })
    } catch (error) {
      tellFailed(t, action, error)
    }
  }
  const revive = async (): Promise<void> => {
    try {
      await reviveAll(project, [feature])
      await refresh()
      tellDone(words.revived(feature))
    } catch (error) {
      tellFailed(t, words.revive, error)
    }
  }
  return { patch, archive, revive }
}

function Details({ flag, save }: { flag: AdminFeature; save: (changes: Patch) => void }) {
  const t = useTexts()
  const [type, setType] = useState(flag.type)
  const [description, setDescription] = useState(flag.description ?? '')
  const [impressionData, setImpressionData] = useState(flag.impressionData)
  const types = Object.entries(t.types).map(([value, label]) => ({ value, label }))
  const submit = (event: React.FormEvent): void => {
    event.preventDefault()
    const values = { type, description, impressionData }
    save(Object.entries(values).map(([name, value]) => ({ op: 'replace' as const, path: `/${name}`, value })))
  }
  return (
    <Stack component="form" onSubmit={submit}>
      <Select
        label={t.common.type}
        data={types.some(({ value }) => value === type) ? types : [...types, { value: type, label: type }]}
        value={type}
        onChange={(next) => setType(next ?? type)}
      />
      <Textarea
        label={t.common.description}
        value={description}
        maxLength={5000}
        autosize
        minRows={3}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <Checkbox
        label={t.flags.impression}
        description={t.flags.impressionHint}
        checked={impressionData}
        onChange={(event) => setImpressionData(event.currentTarget.checked)}
      />
      <Group justify="flex-end">
        <Button type="submit">{t.common.save}</Button>
      </Group>
    </Stack>
  )
}
