import type { StrategyUse } from '@burgee/protocol/targeting/context-field'
import { useQueryClient } from '@tanstack/react-query'
import { getFlagQuery, getUsagesQuery } from '../api/queries.ts'
import { useConfirmSkip } from '../proposals/use-confirm-skip.ts'
import { useLiveCheck } from '../shell/environment/use-live-check.ts'
import { useTexts } from '../text/texts.tsx'
import { useConfirm } from '../ui/dialog/confirm.tsx'
import { showFailure } from '../ui/messages/feedback.ts'
import { SEGMENT_TEXTS } from './texts.ts'

/**
 * Maximum number of flags whose state is fetched. If a segment affects more flags than this, all of them count as on.
 */
const MAX_FLAGS_READ = 30
/** Maximum number of flags that are listed by name. */
const MAX_NAMED = 5

interface ChangedSegment {
  readonly id: number
  readonly name: string
  /** True if the change affects the set of users in the segment. */
  readonly isOther: boolean
  /** True if the change removes all constraints, so that the segment matches everyone. */
  readonly isEmptied: boolean
}

/**
 * Returns a function that asks for confirmation before saving a segment if real users are affected or change requests
 * are skipped. If the user may not skip change requests, the save is rejected. Resolves to true if the save may
 * proceed.
 */
export function useConfirmSegment() {
  const t = useTexts(SEGMENT_TEXTS)
  const queries = useQueryClient()
  const skips = useConfirmSkip()
  const liveAmong = useLiveCheck()
  const ask = useConfirm()
  const isOn = async ({ id, projectId: project, featureName: feature, environment }: StrategyUse): Promise<boolean> => {
    try {
      const { environments } = await queries.fetchQuery({ ...getFlagQuery({ project, feature }), staleTime: 1000 })
      const here = environments.find(({ name }) => name === environment)
      return here?.enabled === true && here.strategies.some((one) => one.id === id && !one.disabled)
    } catch {
      // A flag whose state cannot be fetched may be on.
      return true
    }
  }
  /** Returns the flags that are on for real users and use the segment, grouped by environment. */
  const servedBy = async (uses: readonly StrategyUse[]): Promise<[environment: string, flags: string[]][]> => {
    const live = await liveAmong([...new Set(uses.map(({ environment }) => environment))])
    const there = uses.filter(({ environment }) => live.includes(environment))
    const isMany = new Set(there.map(({ featureName }) => featureName)).size > MAX_FLAGS_READ
    const are = await Promise.all(there.map((use) => isMany || isOn(use)))
    const served = Map.groupBy(
      there.filter((_, index) => are[index]),
      ({ environment }) => environment,
    )
    return [...served].map(([environment, own]) => [
      environment,
      [...new Set(own.map((one) => one.featureName))].sort(),
    ])
  }
  return async ({ id, name, isOther, isEmptied }: ChangedSegment): Promise<boolean> => {
    try {
      const uses = await queries.fetchQuery(getUsagesQuery({ kind: 'segments', id }))
      const reaches = uses.map(({ projectId: project, environment }) => ({ project, environment }))
      const skipped = await skips.note(t.common.save, reaches)
      if (skipped === undefined) return false
      const served = isOther ? await servedBy(uses) : []
      const opened = isEmptied && uses.length > 0 ? t.segments.emptiedText : ''
      if (served.length === 0 && skipped === '' && opened === '') return true
      const lines = served.map(([environment, flags]) => t.segments.saveText(environment, flags, MAX_NAMED))
      const text = [opened, ...lines, skipped].filter((one) => one !== '').join(' ')
      return await ask({ title: t.segments.saveTitle(name), text, action: t.segments.save, isDanger: true })
    } catch (error) {
      showFailure(t, t.common.save, error)
      return false
    }
  }
}
