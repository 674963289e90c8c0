import type { PlaygroundResponse, PlaygroundResult } from '@burgee/protocol/playground'
import { Group, Stack, Text, Title } from '@mantine/core'
import { EnvironmentChip, useEnvironmentType } from '../shell/environment/environment-chip.tsx'
import { isLive } from '../shell/environment/production.ts'
import { STRATEGY_TEXTS } from '../strategy/texts.ts'
import { useCatalogue, useFormat, useTexts } from '../text/texts.tsx'
import { SidePanel } from '../ui/dialog/side-panel.tsx'
import { FlagLink } from '../ui/page/flag-link.tsx'
import { describeVariant, explainResult } from './explanation-sentences.ts'
import styles from './playground.module.css'
import { Outcome } from './results.tsx'
import { StrategyTree } from './strategy-tree.tsx'
import { PLAYGROUND_TEXTS } from './texts.ts'

type Feature = PlaygroundResponse['features'][number]

/**
 * Panel that explains the results of a flag. Each result has one sentence, followed by the tree of all evaluated
 * conditions.
 */
export function ExplanationPanel({ feature, close }: { feature: Feature; close: () => void }) {
  const p = useCatalogue(PLAYGROUND_TEXTS)
  const typeOf = useEnvironmentType()
  const isOther = (name: string): number => Number(!isLive({ type: typeOf(name) }))
  const results = Object.values(feature.environments)
    .flat()
    .sort((a, b) => isOther(a.environment) - isOther(b.environment))
  return (
    <SidePanel title={p.why(feature.name)} close={close}>
      <Stack>
        {results.map((result, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: equal contexts have equal results
          <ResultExplanation key={`${result.environment} ${index}`} result={result} />
        ))}
      </Stack>
    </SidePanel>
  )
}

function ResultExplanation({ result }: { result: PlaygroundResult }) {
  const p = useCatalogue(PLAYGROUND_TEXTS)
  return (
    <ResultSummary result={result}>
      {result.strategies.data.length > 0 && (
        <details open>
          <summary>{p.tree}</summary>
          <StrategyTree result={result} />
        </details>
      )}
    </ResultSummary>
  )
}

interface SummaryProps {
  readonly result: PlaygroundResult
  /** Name of the region; defaults to the environment. */
  readonly label?: string
  readonly children?: React.ReactNode
}

/** Result in one environment, followed by the reasons for it and by `children`. */
export function ResultSummary({ result, label = result.environment, children }: SummaryProps) {
  const t = useTexts(STRATEGY_TEXTS)
  const p = useCatalogue(PLAYGROUND_TEXTS)
  const { number } = useFormat()
  const { context } = result
  const { sentence, details, parent } = explainResult({ t, p }, result)
  const winner = result.strategies.data.find((strategy) => strategy.result === true)
  const decision = result.isEnabled ? (winner?.variantDecision ?? result.variantDecision) : undefined
  const variant = describeVariant({ t, p }, decision, context, number)
  return (
    <section className={styles.result} aria-label={label}>
      <Group gap="xs">
        <Title order={2} size="h5">
          <EnvironmentChip name={result.environment} />
        </Title>
        <Outcome result={result} />
      </Group>
      <ContextFacts context={context} />
      <p className={styles.why}>
        {sentence}
        {parent && (
          <>
            {' '}
            <FlagLink project={result.projectId} feature={parent.feature} />
            {parent.rest}
          </>
        )}
      </p>
      {details.length > 0 && (
        <ul className={styles.reasons}>
          {details.map((detail) => (
            <li key={detail}>{detail}</li>
          ))}
        </ul>
      )}
      {variant !== undefined && <p className={styles.why}>{variant}</p>}
      {children}
    </section>
  )
}

function ContextFacts({ context }: { context: Readonly<Record<string, string>> }) {
  const p = useCatalogue(PLAYGROUND_TEXTS)
  const { time } = useFormat()
  const { appName: _, environment: _environment, currentTime, ...fields } = context
  const parts = Object.entries(fields).map(([name, value]) => `${name} ${value}`)
  const all = currentTime === undefined ? parts : [...parts, p.atTime(time(currentTime))]
  if (all.length === 0) return null
  return (
    <Text size="sm" c="dimmed">
      {p.forContext} {all.join(', ')}
    </Text>
  )
}
