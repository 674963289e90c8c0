import type { Impact } from '@burgee/protocol/administration/impact'
import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { setSampling } from '../api/environments.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { useCatalogue, useFormat, useTexts } from '../text/texts.tsx'
import { showFailure } from '../ui/messages/feedback.ts'
import styles from './impact.module.css'
import { IMPACT_TEXTS } from './texts.ts'

/** Permission that is required to turn traffic sampling on. */
const SAMPLING_PERMISSION = 'ADMIN'

interface Props {
  readonly environment: string
  /** Impact of an edit; undefined until it is known. */
  readonly impact: Impact | undefined
}

/**
 * Impact of an edit on recent traffic, as a sentence and a bar. If traffic is not sampled, users who have the
 * permission can turn sampling on here.
 */
export function RecentImpact({ environment, impact }: Props) {
  const maySample = usePermissionCheck()(SAMPLING_PERMISSION)
  if (impact === undefined) return null
  if (impact.sampling) return <ImpactFigure impact={impact} />
  return maySample ? <SamplingOffer environment={environment} /> : null
}

/** Number of recent evaluations that an edit would change. */
function ImpactFigure({ impact }: { impact: Impact }) {
  const t = useCatalogue(IMPACT_TEXTS)
  const { number } = useFormat()
  return (
    <div className={styles.figure} data-tone={getTone(impact)}>
      <p>{t.figure(impact, number)}</p>
      <ImpactBar impact={impact} />
    </div>
  )
}

/**
 * Bar that represents all evaluations, with the changed ones marked. The bar is decorative, because the sentence has
 * the same content.
 */
function ImpactBar({ impact: { evaluations, offToOn, onToOff, otherVariant } }: { impact: Impact }) {
  const parts = [
    { kind: 'on', count: offToOn },
    { kind: 'off', count: onToOff },
    { kind: 'variant', count: otherVariant },
  ]
  if (evaluations === 0 || parts.every(({ count }) => !count)) return null
  return (
    <span className={styles.bar} aria-hidden="true">
      {parts.map(({ kind, count }) => (
        <span key={kind} data-kind={kind} style={{ inlineSize: `${((count ?? 0) / evaluations) * 100}%` }} />
      ))}
    </span>
  )
}

/** Returns the kind of change: users are added, removed, or both. */
function getTone({ offToOn, onToOff }: Impact): 'added' | 'removed' | 'both' | undefined {
  if (offToOn !== 0) return onToOff === 0 ? 'added' : 'both'
  return onToOff === 0 ? undefined : 'removed'
}

/** Button that turns sampling on, with an explanation of the effect on privacy. */
function SamplingOffer({ environment }: { environment: string }) {
  const t = useTexts()
  const own = useCatalogue(IMPACT_TEXTS)
  const queries = useQueryClient()
  const refetch = useRefetch()
  const start = useMutation({
    mutationFn: () => setSampling(environment, true),
    onSuccess: async () => {
      await queries.resetQueries({ queryKey: ['impact'] })
      await refetch(['traffic-sampling', environment], ['events'])
    },
    onError: (error) => showFailure(t, own.turnOn(environment), error),
  })
  return (
    <div className={styles.offer}>
      <p>{own.offer}</p>
      <Button size="compact-sm" variant="default" loading={start.isPending} onClick={() => start.mutate()}>
        {own.turnOn(environment)}
      </Button>
    </div>
  )
}
