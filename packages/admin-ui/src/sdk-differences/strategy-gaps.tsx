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

interface Props {
  readonly place: FlagEnvironment
  readonly strategy: Partial<StrategyInput>
  /**
   * True to also list parts of the strategy that SDKs interpret differently. Differences in how constraints are
   * interpreted are shown at each constraint.
   */
  readonly withValues?: boolean
}

/** Warning about applications whose SDKs lack features that a strategy uses, with the consequences. */
export function StrategyGaps({ place, strategy, withValues = false }: Props) {
  const t = useCatalogue(SDK_TEXTS)
  const { data: flag } = useQuery(getFlagQuery(place))
  const { data: segments = [] } = useQuery({ ...SEGMENTS, enabled: (strategy.segments ?? []).length > 0 })
  const own = segments.filter(({ id }) => strategy.segments?.includes(id))
  const used = new Set([
    ...listStrategyAbilities({ name: '', ...strategy }),
    ...listConstraintAbilities(own.flatMap(({ constraints }) => constraints as ConstraintInput[])),
  ])
  const values = withValues ? listStrategyDifferences({ name: '', ...strategy }).filter(affectsStrategy) : []
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
  return <Lines lines={[...new Set(lines)]} />
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
      {lines.map((line) => (
        <div key={line}>{line}</div>
      ))}
    </Alert>
  )
}
