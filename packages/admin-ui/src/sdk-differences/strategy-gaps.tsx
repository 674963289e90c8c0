import type { DependencyInput } from '@burgee/protocol/batch'
import {
  listConstraintAbilities,
  listParentAbilities,
  listStrategyAbilities,
  type SdkAbility,
} from '@burgee/protocol/sdk/sdk-abilities'
import type { SdkGap } from '@burgee/protocol/sdk/sdk-gap'
import type { ConstraintInput } from '@burgee/protocol/targeting/constraint'
import { listStrategyDifferences, type ReadingDifference } from '@burgee/protocol/targeting/reading-differences'
import type { StrategyInput } from '@burgee/protocol/targeting/strategy'
import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { FlagEnvironment, FlagRef } from '../api/flags.ts'
import { getFlagQuery, SEGMENTS } from '../api/queries.ts'
import { useCatalogue } from '../text/texts.tsx'
import { SDK_TEXTS } from './texts.ts'

/** Parts of a strategy that SDKs must support. */
export type CheckedStrategy = Partial<Pick<StrategyInput, 'name' | 'parameters' | 'segments'>> & {
  readonly constraints?: readonly object[]
  readonly variants?: readonly object[]
}

interface Props {
  readonly place: FlagEnvironment
  readonly strategies: readonly CheckedStrategy[]
  /**
   * True to also list parts of the strategies that SDKs interpret differently. Differences in how constraints are
   * interpreted are shown at each constraint.
   */
  readonly withValues?: boolean
}

/** Warning about applications whose SDKs lack features that the strategies use, with the consequences. */
export function StrategyGaps({ place, strategies, withValues = false }: Props) {
  const t = useCatalogue(SDK_TEXTS)
  const { data: flag } = useQuery(getFlagQuery(place))
  const inputs = strategies.map(toInput)
  const ids = new Set(inputs.flatMap(({ segments: used }) => used ?? []))
  const { data: segments = [] } = useQuery({ ...SEGMENTS, enabled: ids.size > 0 })
  const own = segments.filter(({ id }) => ids.has(id))
  const used = new Set([
    ...inputs.flatMap(listStrategyAbilities),
    ...listConstraintAbilities(own.flatMap(({ constraints }) => constraints as ConstraintInput[])),
  ])
  const values = withValues ? inputs.flatMap((one) => listStrategyDifferences(one)).filter(affectsStrategy) : []
  const kinds = [...new Set(values.map(({ kind }) => kind))]
  return (
    <Lines
      lines={[
        ...describeGaps(t, flag?.sdkGaps ?? [], place.environment, used),
        ...kinds.map((kind) => t.differences[kind]),
      ]}
    />
  )
}

const toInput = (strategy: CheckedStrategy) => ({ name: '', ...strategy }) as StrategyInput

interface ParentProps {
  readonly place: FlagRef
  /** Environment in which the applications run. If undefined, applications in all environments are included. */
  readonly environment?: string
  readonly parent: Pick<DependencyInput, 'variants'>
}

/** Warning about applications whose SDKs do not support a dependency on a parent flag. */
export function ParentGaps({ place, environment, parent }: ParentProps) {
  const t = useCatalogue(SDK_TEXTS)
  const { data: flag } = useQuery(getFlagQuery(place))
  const lines = describeGaps(t, flag?.sdkGaps ?? [], environment, new Set(listParentAbilities([parent])))
  return <Lines lines={lines} />
}

type Words = (typeof SDK_TEXTS)['en']

function describeGaps(
  t: Words,
  gaps: readonly SdkGap[],
  environment: string | undefined,
  used: ReadonlySet<SdkAbility>,
): string[] {
  return gaps
    .filter((gap) => environment === undefined || gap.environment === environment)
    .flatMap(({ appName, sdkVersion, lacks }) =>
      lacks.filter(({ ability }) => used.has(ability)).map((lack) => t.gap({ ...lack, appName, sdkVersion })),
    )
}

/**
 * Returns true if a difference in how SDKs interpret the strategy should be listed. Excludes differences that depend on
 * notation, because the server stores the canonical form. Also excludes payloads, whose differences are shown next to
 * their input.
 */
function affectsStrategy({ kind, path }: ReadingDifference): boolean {
  return kind !== 'form' && kind !== 'payload' && !path.startsWith('constraints/')
}

function Lines({ lines }: { readonly lines: readonly string[] }) {
  const t = useCatalogue(SDK_TEXTS)
  if (lines.length === 0) return null
  return (
    <Alert color="yellow" role="status" mt="xs" title={t.label}>
      {[...new Set(lines)].map((line) => (
        <div key={line}>{line}</div>
      ))}
    </Alert>
  )
}
