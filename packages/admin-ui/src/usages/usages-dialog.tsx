import type { StrategyUse } from '@burgee/protocol/targeting/context-field'
import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { getUsagesQuery } from '../api/queries.ts'
import type { UsedResource } from '../api/usages.ts'
import { EnvironmentChip } from '../shell/environment/environment-chip.tsx'
import { useCatalogue } from '../text/texts.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { Loaded } from '../ui/page/list-page.tsx'
import ui from '../ui/ui.module.css'
import { USAGE_TEXTS } from './texts.ts'
import styles from './usages.module.css'

const MAX_FLAGS_SHOWN = 20

interface ListProps {
  /** Name of the resource whose usages are shown. */
  readonly name: string
  readonly uses: readonly StrategyUse[]
}

/** List of flags whose strategies use a resource, with links to the strategies. */
export function UsageList({ name, uses }: ListProps) {
  const t = useCatalogue(USAGE_TEXTS).uses
  const [isAll, setAll] = useState(false)
  const flags = [...Map.groupBy(uses, ({ featureName }) => featureName)]
  const shown = isAll ? flags : flags.slice(0, MAX_FLAGS_SHOWN)
  return (
    <>
      <ul className={styles.list} aria-label={t.list(name)}>
        {shown.map(([feature, strategies]) => (
          <li key={feature} className={styles.row}>
            <Link
              to="/projects/$project/features/$feature"
              params={{ project: strategies[0]?.projectId ?? '', feature }}
              className={ui.link ?? ''}
            >
              {feature}
            </Link>
            {strategies.map((use) => (
              <StrategyLink key={use.id} use={use} />
            ))}
          </li>
        ))}
      </ul>
      {flags.length > shown.length && (
        <Button variant="subtle" size="xs" onClick={() => setAll(true)}>
          {t.rest(flags.length - shown.length)}
        </Button>
      )}
    </>
  )
}

function StrategyLink({ use: { id, projectId: project, featureName: feature, environment } }: { use: StrategyUse }) {
  const t = useCatalogue(USAGE_TEXTS).uses
  return (
    <Link
      to="/projects/$project/features/$feature"
      params={{ project, feature }}
      search={{ env: environment, strategy: id }}
      className={styles.strategy ?? ''}
      aria-label={t.strategy(feature, environment)}
    >
      <EnvironmentChip name={environment} />
    </Link>
  )
}

interface DialogProps {
  readonly used: UsedResource
  readonly name: string
  readonly close: () => void
  /** Usages by objects other than strategies. */
  readonly more?: ReactNode
  /** True if the resource cannot be removed even when it is not in use. */
  readonly isFixed?: boolean
}

/** Dialog with the usages of a resource. A resource that is in use cannot be removed. */
export function UsagesDialog({ used, name, close, more, isFixed = false }: DialogProps) {
  const t = useCatalogue(USAGE_TEXTS).uses
  const answer = useQuery(getUsagesQuery(used))
  return (
    <Dialog opened close={close} title={t.title(name)}>
      <Loaded answer={answer}>
        {(uses) => (
          <>
            {uses.length === 0 ? <Text>{more === undefined && t.nothing}</Text> : <UsageList name={name} uses={uses} />}
            {more}
            {!isFixed && (uses.length > 0 || more !== undefined) && (
              <Text size="sm" c="dimmed" mt="md">
                {t.keeps}
              </Text>
            )}
          </>
        )}
      </Loaded>
    </Dialog>
  )
}

interface UsagesButtonProps {
  /** Number of flags that use the resource. */
  readonly count: number
  /** Number of segments that use the resource. */
  readonly segmentCount?: number
  readonly name: string
  readonly show: () => void
}

/**
 * Button that shows how many flags and segments use a resource. A click opens the usages. If there are no usages, plain
 * text is shown instead of the button.
 */
export function UsagesButton({ count, segmentCount = 0, name, show }: UsagesButtonProps) {
  const t = useCatalogue(USAGE_TEXTS).uses
  const users = [
    ...(count === 0 ? [] : [t.flags(count)]),
    ...(segmentCount === 0 ? [] : [t.segmentCount(segmentCount)]),
  ].join(', ')
  if (users === '') return t.nothing
  return (
    <Button variant="subtle" size="compact-sm" px={0} aria-label={t.show(users, name)} onClick={show}>
      {users}
    </Button>
  )
}
