import type { AdminFeature, AdminFeatureEnvironment } from '@burgee/protocol/admin-feature'
import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { useMayChange } from '../proposals/may-change.ts'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { lazyDialog } from '../ui/loading/lazy-part.tsx'
import { COPYING_TEXTS } from './copying/texts.ts'
import { START_PLAN_TEXTS } from './release-plan/start-texts.ts'
import type { FlagPageSearch } from './search-params.ts'
import { FLAG_TEXTS } from './texts.ts'

const PromotePanel = lazyDialog(
  'PromotePanel',
  async () => (await import('../promotion/promote-panel.tsx')).PromotePanel,
)

interface ColumnButtonsProps {
  readonly flag: AdminFeature
  readonly environment: AdminFeatureEnvironment
  readonly go: (next: FlagPageSearch) => void
  readonly mayAdd: boolean
  /** True if the flag has a release plan, and also while this is unknown. */
  readonly hasPlan: boolean
}

/** Buttons that add strategies, a release plan and variants to an environment. */
export function ColumnButtons({ flag, environment, go, mayAdd, hasPlan }: ColumnButtonsProps) {
  const t = useTexts(FLAG_TEXTS)
  const plans = useCatalogue(START_PLAN_TEXTS)
  const may = useMayChange(flag.project)
  const { name, variants } = environment
  const place = { project: flag.project, feature: flag.name, environment: name }
  return (
    <Group gap="xs" mt="auto">
      {mayAdd && (
        <Button
          variant="light"
          size="xs"
          aria-label={t.flag.addStrategyIn(name)}
          onClick={() => go({ env: name, strategy: 'new' })}
        >
          + {t.flag.addStrategy}
        </Button>
      )}
      {mayAdd && !hasPlan && (
        <Button
          variant="subtle"
          size="xs"
          aria-label={plans.startIn(name)}
          onClick={() => go({ env: name, plan: true })}
        >
          {plans.start}
        </Button>
      )}
      {may('UPDATE_FEATURE_ENVIRONMENT_VARIANTS', place) && !flag.archived && (
        <Button variant="subtle" size="xs" onClick={() => go({ env: name, variants: true })}>
          {variants.length === 0 ? t.flag.addVariants : t.flag.editVariants}
        </Button>
      )}
      {mayAdd && flag.environments.length > 1 && <CopyStrategies flag={flag} name={name} />}
    </Group>
  )
}

/** Dialog that copies the strategies of another environment. */
function CopyStrategies({
  flag: { project, name: feature, environments },
  name,
}: {
  flag: AdminFeature
  name: string
}) {
  const t = useCatalogue(COPYING_TEXTS)
  const [isOpen, setOpen] = useState(false)
  const others = environments.filter((one) => one.name !== name)
  // Environments that have strategies come first.
  const sources = [...others].sort((a, b) => Number(b.strategies.length > 0) - Number(a.strategies.length > 0))
  return (
    <>
      <Button variant="subtle" size="xs" aria-label={t.copyOpenLabel(name)} onClick={() => setOpen(true)}>
        {t.copyOpen}
      </Button>
      {isOpen && (
        <PromotePanel
          title={t.copyTitle(feature, name)}
          place={{ project, environment: name }}
          sources={sources.map((one) => one.name)}
          features={[feature]}
          parts={['strategies']}
          close={() => setOpen(false)}
        />
      )}
    </>
  )
}
