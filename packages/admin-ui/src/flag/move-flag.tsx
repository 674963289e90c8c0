import type { Project } from '@burgee/protocol/project'
import { List, Select } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { type FlagRef, moveFlag } from '../api/flags.ts'
import { PROJECTS } from '../api/queries.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { useConfirmSkip } from '../proposals/use-confirm-skip.ts'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { Form } from '../ui/form/form.tsx'
import { showFailure, showSuccess } from '../ui/messages/feedback.ts'
import { FLAG_TEXTS } from './texts.ts'

interface Props extends FlagRef {
  readonly targets: readonly Project[]
  readonly close: () => void
}

/**
 * Dialog that explains the consequences of moving a flag to another project, and moves it. After the move, opens the
 * flag's new page and offers to undo the move.
 */
export function MoveFlag({ project, feature, targets, close }: Props) {
  const { move: words } = useCatalogue(FLAG_TEXTS)
  const { data: projects = [] } = useQuery(PROJECTS)
  const nameOf = (id: string): string => projects.find((one) => one.id === id)?.name ?? id
  const [target, setTarget] = useState(targets.length === 1 ? (targets[0]?.id ?? '') : '')
  const skips = useConfirmSkip()
  const tellMoved = useReportMove({ project, feature }, nameOf)
  const save = useMutation({
    mutationFn: () => moveFlag({ project, feature }, target),
    onSuccess: () => {
      close()
      return tellMoved(target)
    },
  })
  return (
    <Dialog title={words.title(feature)} opened close={close}>
      <Form
        save={save}
        draft={undefined}
        submit={save.mutate}
        confirm={() => skips.confirm(words.action, [{ project }, { project: target }])}
        isReady={target !== ''}
        action={words.action}
        close={close}
      >
        <List size="sm" spacing={6}>
          <List.Item>{words.address}</List.Item>
          <List.Item>{words.tokens(nameOf(project))}</List.Item>
          <List.Item>{words.keeps}</List.Item>
        </List>
        <Select
          label={words.target}
          data={targets.map(({ id, name }) => ({ value: id, label: name }))}
          value={target === '' ? null : target}
          searchable
          openOnFocus={false}
          required
          data-autofocus
          onChange={(id) => {
            save.reset()
            setTarget(id ?? '')
          }}
        />
      </Form>
    </Dialog>
  )
}

/** Opens a moved flag in its new project, reports the move, and offers to undo it. */
function useReportMove({ project, feature }: FlagRef, nameOf: (id: string) => string) {
  const t = useTexts()
  const { move: words } = useCatalogue(FLAG_TEXTS)
  const follow = useFollowMove(feature)
  const skips = useConfirmSkip()
  return async (target: string): Promise<void> => {
    const back = async (): Promise<void> => {
      if (!(await skips.confirm(t.common.undo, [{ project: target }, { project }]))) return
      try {
        await moveFlag({ project: target, feature }, project)
        await follow(target, project)
        showSuccess(words.back(feature, nameOf(project)))
      } catch (error) {
        showFailure(t, t.common.undo, error)
      }
    }
    await follow(project, target)
    showSuccess(words.moved(feature, nameOf(target)), { label: t.common.undo, run: () => void back() })
  }
}

const FLAG = '/projects/$project/features/$feature'
/** Key prefixes of the queries that depend on a flag's project. */
const AFFECTED_QUERIES = [['flag'], ['flags'], ['projects'], ['project'], ['segments'], ['uses'], ['events']]

/** Opens a moved flag in its new project if the user is still viewing the flag. */
function useFollowMove(feature: string) {
  const router = useRouter()
  const queries = useQueryClient()
  const refetch = useRefetch()
  return async (from: string, to: string): Promise<void> => {
    const isLookedAt = router.matchRoute({ to: FLAG, params: { project: from, feature } }) !== false
    if (isLookedAt) await router.navigate({ to: FLAG, params: { project: to, feature } })
    queries.removeQueries({ queryKey: ['flag', from, feature] })
    await refetch(...AFFECTED_QUERIES)
  }
}
