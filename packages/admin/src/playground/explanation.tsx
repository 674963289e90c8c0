import type { PlaygroundResponse, PlaygroundResult, PlaygroundStrategy } from '@burgee/protocol/playground'
import { Drawer, Group, Stack, Text, Title } from '@mantine/core'
import { constraintText } from '../strategy/sentence.ts'
import { useTexts } from '../text/texts.tsx'
import styles from './playground.module.css'
import { Outcome } from './results.tsx'
import { refusalOf, rolloutDetail, strategyText, whyOf } from './why.ts'

type Feature = PlaygroundResponse['features'][number]

/** Why a flag is what it is: one sentence for each result, then the tree of everything that was looked at. */
export function Explanation({ feature, close }: { feature: Feature; close: () => void }) {
  const t = useTexts()
  const results = Object.values(feature.environments).flat()
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size="lg"
      lockScroll={false}
      title={t.playground.why(feature.name)}
      closeButtonProps={{ 'aria-label': t.common.close }}
    >
      <Stack>
        {results.map((result) => (
          <One key={`${result.environment} ${JSON.stringify(result.context)}`} result={result} />
        ))}
      </Stack>
    </Drawer>
  )
}

function One({ result }: { result: PlaygroundResult }) {
  const t = useTexts()
  const { sentence, details } = whyOf(t, result)
  const { appName: _, environment: _environment, ...context } = result.context as Readonly<Record<string, string>>
  const who = Object.entries(context).map(([name, value]) => `${name} ${value}`)
  return (
    <section className={styles.result} aria-label={result.environment}>
      <Group gap="xs">
        <Title order={2} size="h5">
          {result.environment}
        </Title>
        <Outcome result={result} />
      </Group>
      {who.length > 0 && (
        <Text size="sm" c="dimmed">
          {t.playground.forContext} {who.join(', ')}
        </Text>
      )}
      <p className={styles.why}>{sentence}</p>
      {details.length > 0 && (
        <ul className={styles.reasons}>
          {details.map((detail) => (
            <li key={detail}>{detail}</li>
          ))}
        </ul>
      )}
      {result.strategies.data.length > 0 && (
        <details>
          <summary>{t.playground.tree}</summary>
          <ul className={styles.tree}>
            {result.strategies.data.map((strategy) => (
              <Branch key={strategy.id} strategy={strategy} result={result} />
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

function Branch({ strategy, result }: { strategy: PlaygroundStrategy; result: PlaygroundResult }) {
  const t = useTexts()
  const isTrue = strategy.result === true
  const notes = isTrue
    ? rolloutDetail(t, result.name, strategy, result.context)
    : refusalOf(t, result.name, strategy, result.context)
  return (
    <li>
      <Mark isTrue={isTrue} /> {t.playground.strategy}: {strategyText(t, strategy)}
      <ul>
        {strategy.constraints.map((constraint) => (
          <li key={JSON.stringify(constraint)}>
            <Mark isTrue={constraint.result} /> {constraintText(t, constraint)}
          </li>
        ))}
        {strategy.segments.map((segment) => (
          <li key={segment.id}>
            <Mark isTrue={segment.result} /> {t.playground.segment} {segment.name}
            <ul>
              {segment.constraints.map((constraint) => (
                <li key={JSON.stringify(constraint)}>
                  <Mark isTrue={constraint.result} /> {constraintText(t, constraint)}
                </li>
              ))}
            </ul>
          </li>
        ))}
        {notes.map((note) => (
          <li key={note} className={styles.note}>
            {note}
          </li>
        ))}
      </ul>
    </li>
  )
}

function Mark({ isTrue }: { isTrue: boolean }) {
  const t = useTexts()
  return (
    <span
      className={isTrue ? styles.good : styles.bad}
      role="img"
      aria-label={isTrue ? t.playground.isTrue : t.playground.isFalse}
    >
      {isTrue ? '✓' : '✗'}
    </span>
  )
}
