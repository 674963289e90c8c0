import type { AdminStrategy } from '@burgee/protocol/admin'
import { ActionIcon, Badge, Button, Group } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FlagPlace } from '../api/flags.ts'
import { addStrategy, removeStrategy, sortStrategies } from '../api/strategies.ts'
import { constraintText, sentenceOf, whoText } from '../strategy/sentence.ts'
import { useSegmentName } from '../strategy/use-segment-name.ts'
import { WeightBar } from '../strategy/weight-bar.tsx'
import { useTexts } from '../text/texts.tsx'
import { useConfirm } from '../ui/confirm.tsx'
import { tellDone, tellFailed } from '../ui/feedback.tsx'
import { useMay } from '../ui/session.tsx'
import styles from './flag.module.css'

interface Props {
  readonly place: FlagPlace
  readonly strategies: readonly AdminStrategy[]
  /** Nothing can be changed. */
  readonly isFixed: boolean
  readonly edit: (id: string) => void
}

/** Strategies in their order; who meets one of them is in. */
export function StrategyCards({ place, strategies, isFixed, edit }: Props) {
  const t = useTexts()
  const may = useMay()
  const sorted = [...strategies].sort((a, b) => a.sortOrder - b.sortOrder)
  const { remove, move } = useChanges(place, sorted)
  const mayUpdate = may('UPDATE_FEATURE_STRATEGY', place) && !isFixed
  const mayRemove = may('DELETE_FEATURE_STRATEGY', place) && !isFixed
  return (
    <ol className={styles.cards} aria-label={t.flag.strategies}>
      {sorted.map((strategy, index) => (
        <li key={strategy.id} className={styles.card} data-disabled={strategy.disabled || undefined}>
          <Sentence strategy={strategy} />
          <Group gap={4} mt="xs">
            {mayUpdate && (
              <Button size="compact-sm" variant="default" onClick={() => edit(strategy.id)}>
                {t.common.edit}
              </Button>
            )}
            {mayRemove && (
              <Button size="compact-sm" variant="subtle" color="red" onClick={() => void remove(strategy)}>
                {t.common.remove}
              </Button>
            )}
            <span className={styles.grow} />
            {mayUpdate && sorted.length > 1 && (
              <>
                <Move label={t.flag.moveUp} sign="↑" isOff={index === 0} go={() => move(index, -1)} />
                <Move label={t.flag.moveDown} sign="↓" isOff={index === sorted.length - 1} go={() => move(index, 1)} />
              </>
            )}
          </Group>
          {index < sorted.length - 1 && <span className={styles.or}>{t.flag.anyOf}</span>}
        </li>
      ))}
    </ol>
  )
}

function Sentence({ strategy }: { strategy: AdminStrategy }) {
  const t = useTexts()
  const segmentName = useSegmentName()
  const { title, disabled, constraints, segments, variants } = strategy
  return (
    <>
      {(title || disabled) && (
        <Group gap="xs" mb={4}>
          {title && <span className={styles.cardTitle}>{title}</span>}
          {disabled && (
            <Badge variant="default" size="sm" tt="none">
              {t.flag.disabled}
            </Badge>
          )}
        </Group>
      )}
      <p className={styles.sentence}>
        <strong>{whoText(t, strategy)}</strong>
        {[
          ...constraints.map((constraint) => constraintText(t, constraint)),
          ...segments.map((id) => `${t.sentence.in} ${segmentName(id)}`),
        ].map((text, index) => (
          <span key={text}>
            {' '}
            {index === 0 ? t.sentence.where : t.sentence.and} <span className={styles.condition}>{text}</span>
          </span>
        ))}
      </p>
      {variants.length > 0 && <WeightBar variants={variants} />}
    </>
  )
}

function Move({ label, sign, isOff, go }: { label: string; sign: string; isOff: boolean; go: () => void }) {
  return (
    <ActionIcon variant="default" size="sm" aria-label={label} disabled={isOff} onClick={go}>
      {sign}
    </ActionIcon>
  )
}

function useChanges(place: FlagPlace, sorted: readonly AdminStrategy[]) {
  const t = useTexts()
  const ask = useConfirm()
  const queries = useQueryClient()
  const segmentName = useSegmentName()
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: ['flag', place.project, place.feature] })
  const sort = useMutation({
    mutationFn: (ids: readonly string[]) => sortStrategies(place, ids),
    onSuccess: refresh,
    onError: (error) => tellFailed(t, t.flag.moveUp, error),
  })
  const move = (index: number, by: number): void => {
    const ids = sorted.map(({ id }) => id)
    const [id] = ids.splice(index, 1)
    if (id !== undefined) sort.mutate(ids.toSpliced(index + by, 0, id))
  }
  const restore = async ({ id: _, ...body }: AdminStrategy): Promise<void> => {
    await addStrategy(place, body as Parameters<typeof addStrategy>[1])
    await refresh()
  }
  const remove = async (strategy: AdminStrategy): Promise<void> => {
    const { removeStrategyTitle: title, removeStrategyText, removeStrategy: action } = t.flag
    const text = removeStrategyText(sentenceOf(t, strategy, segmentName))
    if (!(await ask({ title, text, action, isDanger: true }))) return
    try {
      await removeStrategy({ ...place, id: strategy.id })
      await refresh()
      tellDone(t.flag.strategyRemoved, { label: t.common.undo, run: () => void restore(strategy) })
    } catch (error) {
      tellFailed(t, action, error)
    }
  }
  return { remove, move }
}
