import type { ProjectEnvironment } from '@burgee/protocol/environment'
import type { DefaultStrategy } from '@burgee/protocol/targeting/strategy'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fetchProjectEnvironments } from '../api/project-settings.ts'
import { EnvironmentChip } from '../shell/environment/environment-chip.tsx'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { describeStrategy } from '../strategy/strategy-sentence.ts'
import { STRATEGY_TEXTS } from '../strategy/texts.ts'
import { useSegmentName } from '../strategy/use-segment-name.ts'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { Loaded } from '../ui/page/list-page.tsx'
import { RowButton } from '../ui/page/row-button.tsx'
import { toWholeStrategy } from './default-strategy.ts'
import { DefaultStrategyEditor } from './default-strategy-editor.tsx'
import styles from './settings.module.css'
import { PROJECT_SETTING_TEXTS } from './texts.ts'

/**
 * Default strategies of a project. A flag gets the default strategy of an environment if the flag is turned on there
 * and has no strategy.
 */
export function DefaultStrategies({ project }: { project: string }) {
  const t = useTexts()
  const { defaults: own } = useCatalogue(PROJECT_SETTING_TEXTS)
  const mayChange = usePermissionCheck()('PROJECT_DEFAULT_STRATEGY_WRITE', { project })
  const [edited, setEdited] = useState<ProjectEnvironment>()
  const answer = useQuery({
    queryKey: ['project-environments', project],
    queryFn: () => fetchProjectEnvironments(project),
  })
  return (
    <>
      <Text c="dimmed" mb="md">
        {own.intro}
      </Text>
      <Loaded answer={answer}>
        {(environments) => (
          <ul className={styles.defaults} aria-label={own.title}>
            {environments
              .filter(({ visible }) => visible)
              .map((one) => (
                <li key={one.name} className={styles.default}>
                  <EnvironmentChip name={one.name} />
                  <Sentence strategy={one.defaultStrategy} />
                  {mayChange && (
                    <RowButton label={own.editLabel(one.name)} text={t.common.edit} act={() => setEdited(one)} />
                  )}
                </li>
              ))}
          </ul>
        )}
      </Loaded>
      {edited !== undefined && (
        <DefaultStrategyEditor project={project} environment={edited} close={() => setEdited(undefined)} />
      )}
    </>
  )
}

function Sentence({ strategy }: { strategy: DefaultStrategy | undefined }) {
  const { defaults: own } = useCatalogue(PROJECT_SETTING_TEXTS)
  const words = useCatalogue(STRATEGY_TEXTS)
  const segmentName = useSegmentName()
  if (strategy === undefined) return <span className={styles.sentence}>{own.builtIn}</span>
  const sentence = describeStrategy(words, toWholeStrategy(strategy), segmentName)
  return <span className={styles.sentence}>{strategy.title ? `${strategy.title}: ${sentence}` : sentence}</span>
}
