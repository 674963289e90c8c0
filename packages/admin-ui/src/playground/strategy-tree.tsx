import type { PlaygroundResult, PlaygroundStrategy, RolloutDecision } from '@burgee/protocol/playground'
import { Link } from '@tanstack/react-router'
import { describeConstraint } from '../strategy/strategy-sentence.ts'
import { STRATEGY_TEXTS } from '../strategy/texts.ts'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import ui from '../ui/ui.module.css'
import {
  describeActualValue,
  describeBucket,
  describeResultStrategy,
  explainMismatch,
} from './explanation-sentences.ts'
import styles from './playground.module.css'
import { PLAYGROUND_TEXTS } from './texts.ts'

/** Tree of all evaluated conditions with their results. */
export function StrategyTree({ result }: { result: PlaygroundResult }) {
  return (
    <ul className={styles.tree}>
      {result.strategies.data.map((strategy) => (
        <Branch key={strategy.id} strategy={strategy} result={result} />
      ))}
    </ul>
  )
}

interface BranchProps {
  readonly strategy: PlaygroundStrategy
  readonly result: PlaygroundResult
}

function Branch({ strategy, result }: BranchProps) {
  const t = useTexts(STRATEGY_TEXTS)
  const p = useCatalogue(PLAYGROUND_TEXTS)
  const { context, projectId: project, name: feature, environment } = result
  const { decision } = strategy
  const isSilent = strategy.constraints.length === 0 && strategy.segments.length === 0 && decision === undefined
  const isTrue = strategy.result === true
  return (
    <li>
      <Mark isTrue={isTrue} /> {p.strategy}: {describeResultStrategy({ t, p }, strategy)}{' '}
      <Link
        to="/projects/$project/features/$feature"
        params={{ project, feature }}
        search={{ env: environment, strategy: strategy.id }}
        className={ui.link ?? ''}
      >
        {p.edit}
      </Link>
      <ul>
        {strategy.constraints.map((constraint) => (
          <Constraint key={JSON.stringify(constraint)} constraint={constraint} context={context} />
        ))}
        {strategy.segments.map((segment) => (
          <li key={segment.id}>
            <Mark isTrue={segment.result} /> {p.segment} {segment.name}
            <ul>
              {segment.constraints.map((constraint) => (
                <Constraint key={JSON.stringify(constraint)} constraint={constraint} context={context} />
              ))}
            </ul>
          </li>
        ))}
        {decision !== undefined && <Rollout decision={decision} context={context} />}
        {((isSilent && !isTrue) || strategy.disabled === true) && (
          <li className={styles.note}>{explainMismatch({ t, p }, strategy, context).join('; ')}</li>
        )}
      </ul>
    </li>
  )
}

interface ConstraintProps {
  readonly constraint: PlaygroundStrategy['constraints'][number]
  readonly context: PlaygroundResult['context']
}

function Constraint({ constraint, context }: ConstraintProps) {
  const t = useTexts(STRATEGY_TEXTS)
  const p = useCatalogue(PLAYGROUND_TEXTS)
  return (
    <li>
      <Mark isTrue={constraint.result} /> {describeConstraint(t, constraint)}{' '}
      <span className={styles.note}>({describeActualValue({ t, p }, constraint, context)})</span>
    </li>
  )
}

function Rollout({ decision, context }: { decision: RolloutDecision; context: PlaygroundResult['context'] }) {
  const t = useTexts(STRATEGY_TEXTS)
  const p = useCatalogue(PLAYGROUND_TEXTS)
  const { bucket, limit, groupId } = decision
  const isIn = typeof bucket === 'number' && limit !== null && bucket <= limit
  return (
    <li>
      {bucket === 'random' ? '?' : <Mark isTrue={isIn} />} {describeBucket({ t, p }, decision, context)}{' '}
      <span className={styles.note}>({p.group(groupId)})</span>
      {typeof bucket === 'number' && limit !== null && <BucketBar bucket={bucket} limit={limit} />}
    </li>
  )
}

/** Bar with a hundred buckets that marks the included buckets and the bucket of the context. */
function BucketBar({ bucket, limit }: { bucket: number; limit: number }) {
  const p = useCatalogue(PLAYGROUND_TEXTS)
  const share = Math.max(0, Math.min(100, limit))
  return (
    <svg className={styles.bar} viewBox="0 0 200 14" role="img" aria-label={p.bucketBar(bucket, limit)}>
      <rect className={styles.barAll} x="0" y="4" width="200" height="6" rx="3" />
      <rect className={styles.barIn} x="0" y="4" width={share * 2} height="6" rx="3" />
      <rect className={styles.barMark} x={bucket * 2 - 2} y="0" width="4" height="14" rx="2" />
    </svg>
  )
}

function Mark({ isTrue }: { isTrue: boolean }) {
  const p = useCatalogue(PLAYGROUND_TEXTS)
  return (
    <span className={isTrue ? styles.good : styles.bad} role="img" aria-label={isTrue ? p.isTrue : p.isFalse}>
      {isTrue ? '✓' : '✗'}
    </span>
  )
}
