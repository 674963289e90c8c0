import type { AdminFeature, Patch } from '@burgee/protocol/admin'
import { Button, Checkbox, Group, Menu, Modal, Select, Stack, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { reviveAll } from '../api/bulk.ts'
import { archiveFlag, patchFlag } from '../api/flags.ts'
import { usePageTexts } from '../text/page.ts'
import { useTexts } from '../text/texts.tsx'
import { useConfirm } from '../ui/confirm.tsx'
import { tellDone, tellFailed } from '../ui/feedback.tsx'
import { useMay } from '../ui/session.tsx'
import { useRenew } from '../ui/use-renew.ts'
import { CopyFlag } from './copy-flag.tsx'
import { useMoveTargets } from './use-move-targets.ts'

const MoveFlag = lazy(async () => ({ default: (await import('./move-flag.tsx')).MoveFlag }))

/** What can be done with the whole flag. */
export function FlagActions({ flag }: { flag: AdminFeature }) {
  const t = useTexts()
  const words = usePageTexts()
  const may = useMay()
  const { project, name: feature } = flag
  const [open, setOpen] = useState<'edit' | 'copy' | 'move'>()
  const { patch, archive, revive } = useChanges(flag)
  const targets = useMoveTargets(project)
  const mayUpdate = may('UPDATE_FEATURE', { project })
  const mayArchive = may('DELETE_FEATURE', { project })
  const mayCopy = may('CREATE_FEATURE', { project })
  const mayMove = targets.length > 0
  const close = (): void => setOpen(undefined)
  if (flag.archived) return mayUpdate && <Button onClick={() => void revive()}>{words.revive}</Button>
  if (!mayUpdate && !mayArchive && !mayCopy && !mayMove) return null
  return (
    <Group>
      {mayUpdate && (
        <Button variant="default" onClick={() => setOpen('edit')}>
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
          {mayCopy && <Menu.Item onClick={() => setOpen('copy')}>{words.clone}</Menu.Item>}
          {mayMove && <Menu.Item onClick={() => setOpen('move')}>{words.move.open}</Menu.Item>}
          {mayArchive && (
            <Menu.Item color="red" onClick={() => void archive()}>
              {t.flag.archive}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <Modal
        opened={open === 'edit'}
        onClose={close}
        title={t.flag.editDetails}
        closeButtonProps={{ 'aria-label': t.common.close }}
      >
        <Details flag={flag} save={(changes) => patch.mutate(changes, { onSuccess: close })} />
      </Modal>
      {open === 'copy' && <CopyFlag project={project} feature={feature} close={close} />}
      <Suspense>{open === 'move' && <MoveFlag {...{ project, feature, targets, close }} />}</Suspense>
    </Group>
  )
}

function useChanges({ project, name: feature }: AdminFeature) {
  const t = useTexts()
  const words = usePageTexts()
  const ask = useConfirm()
  const navigate = useNavigate()
  const renew = useRenew()
  const refresh = () => renew(['flag', project, feature], ['flags', project], ['events'])
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
