import type { SegmentFinding } from '@burgee/protocol/administration/feature-transfer'
import { Checkbox, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { describeConstraint } from '../strategy/strategy-sentence.ts'
import { STRATEGY_TEXTS } from '../strategy/texts.ts'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import ui from '../ui/ui.module.css'
import { TRANSFER_TEXTS } from './texts.ts'
import styles from './transfer.module.css'

interface Props {
  readonly segments: readonly SegmentFinding[]
  /** True if the import will create missing segments. */
  readonly isCreating: boolean
  readonly choose: (isCreating: boolean) => void
  readonly isPending: boolean
}

/** Segments to review, as defined in the file and on this server, and the choice whether to create missing ones. */
export function SegmentFindings({ segments, isCreating, choose, isPending }: Props) {
  const t = useCatalogue(TRANSFER_TEXTS)
  const { nav } = useTexts()
  const say = useSegmentTexts()
  return (
    <Stack gap="sm">
      <Title order={3} size="h5">
        {t.segmentsTitle}
      </Title>
      <ul className={styles.found}>
        {segments.map(({ name, here, coming }) => (
          <li key={name}>
            <strong>{name}</strong>
            <Text size="sm">
              {t.inFile} {coming === null ? t.unsaid : say(coming)}
            </Text>
            <Text size="sm">
              {t.here} {here === null ? t.notHere : say(here)}
            </Text>
          </li>
        ))}
      </ul>
      {segments.some(({ isCreatable }) => isCreatable) && (
        <Checkbox
          label={t.createSegments}
          checked={isCreating}
          disabled={isPending}
          onChange={(event) => choose(event.currentTarget.checked)}
        />
      )}
      <Link to="/segments" className={ui.link ?? ''}>
        {nav.segments}
      </Link>
    </Stack>
  )
}

/**
 * Returns a function that describes a segment in one sentence with all its values, so that different segments have
 * different descriptions.
 */
function useSegmentTexts(): (constraints: NonNullable<SegmentFinding['here']>) => string {
  const t = useCatalogue(TRANSFER_TEXTS)
  const words = useCatalogue(STRATEGY_TEXTS)
  return (constraints) =>
    constraints.length === 0
      ? t.everybody
      : constraints
          .map((constraint) => describeConstraint(words, constraint, Number.POSITIVE_INFINITY))
          .join(` ${words.sentence.and} `)
}
