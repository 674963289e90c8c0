import type { ProjectEnvironment } from '@burgee/protocol/environment'
import type { AdminStrategy } from '@burgee/protocol/targeting/strategy'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { setDefaultStrategy } from '../api/project-settings.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { EnvironmentBanner } from '../shell/environment/environment-banner.tsx'
import strategyStyles from '../strategy/strategy.module.css'
import {
  createDraft,
  isReady,
  type StrategyDraft,
  toSharedStrategyInput,
  toStrategyDraft,
  toStrategyInput,
} from '../strategy/strategy-draft.ts'
import { StrategyForm } from '../strategy/strategy-form.tsx'
import { describeStrategy } from '../strategy/strategy-sentence.ts'
import { STRATEGY_TEXTS } from '../strategy/texts.ts'
import { useSegmentName } from '../strategy/use-segment-name.ts'
import { useCatalogue } from '../text/texts.tsx'
import { SidePanel } from '../ui/dialog/side-panel.tsx'
import { Form } from '../ui/form/form.tsx'
import { showSuccess } from '../ui/messages/feedback.ts'
import { toWholeStrategy } from './default-strategy.ts'
import { PROJECT_SETTING_TEXTS } from './texts.ts'

interface Props {
  readonly project: string
  readonly environment: ProjectEnvironment
  readonly close: () => void
}

/** Panel that sets the default strategy of a project in an environment. */
export function DefaultStrategyEditor({ project, environment: { name, defaultStrategy }, close }: Props) {
  const { defaults: own } = useCatalogue(PROJECT_SETTING_TEXTS)
  const words = useCatalogue(STRATEGY_TEXTS)
  const segmentName = useSegmentName()
  const refetch = useRefetch()
  const [draft, setDraft] = useState<StrategyDraft>(() =>
    defaultStrategy === undefined ? createDraft('') : toStrategyDraft(toWholeStrategy(defaultStrategy)),
  )
  const mine = toStrategyInput(draft)
  const save = useMutation({
    mutationFn: () => setDefaultStrategy(project, name, toSharedStrategyInput(draft)),
    onSuccess: async () => {
      await refetch(['project-environments'], ['project'], ['events'])
      close()
      showSuccess(own.saved(name))
    },
  })
  return (
    <SidePanel title={own.editTitle(name)} close={close} isWide>
      <Form save={save} close={close} isReady={isReady(draft)} draft={mine} submit={() => save.mutate()} isLong>
        <EnvironmentBanner name={name} guarded={undefined} />
        <p className={strategyStyles.sentence}>{describeStrategy(words, mine as AdminStrategy, segmentName)}</p>
        <StrategyForm draft={draft} feature="" isDefault put={(change) => setDraft((now) => ({ ...now, ...change }))} />
      </Form>
    </SidePanel>
  )
}
