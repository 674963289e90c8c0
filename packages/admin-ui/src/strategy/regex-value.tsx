import type { ConstraintInput } from '@burgee/protocol/targeting/constraint'
import { Text, TextInput } from '@mantine/core'
import { RE2JS } from 're2js'
import { useState } from 'react'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import styles from './strategy.module.css'
import { STRATEGY_TEXTS } from './texts.ts'

interface Props {
  readonly constraint: ConstraintInput
  /** The server's error message about the pattern. */
  readonly refusal: string | undefined
  readonly put: (pattern: string) => void
}

/**
 * Pattern of a constraint, with a sample text on which it is tested with the same rules as in the engine. If the
 * pattern is invalid, the form cannot be submitted.
 */
export function RegexValue({ constraint, refusal, put }: Props) {
  const t = useTexts(STRATEGY_TEXTS)
  const { constraint: words } = useCatalogue(STRATEGY_TEXTS)
  const [sample, setSample] = useState('')
  const { value = '', caseInsensitive = false } = constraint
  const { pattern, problem } = compilePattern(value, caseInsensitive)
  const isFound = sample !== '' && pattern !== undefined && pattern.matcher(sample).find()
  return (
    <>
      <TextInput
        label={t.strategy.regex}
        description={t.strategy.regexHint}
        value={value}
        error={problem === undefined ? refusal : `${t.strategy.regexBad}: ${problem}`}
        ref={(input) => input?.setCustomValidity(problem ?? '')}
        classNames={{ input: styles.mono ?? '' }}
        onChange={(event) => put(event.currentTarget.value)}
      />
      <TextInput
        label={t.strategy.regexTest}
        description={words.regexNote}
        value={sample}
        onChange={(event) => setSample(event.currentTarget.value)}
      />
      {sample !== '' && pattern !== undefined && (
        <Text size="sm" role="status" c={isFound ? 'var(--good)' : 'var(--bad)'}>
          {isFound ? `✓ ${t.strategy.regexYes}` : `✗ ${t.strategy.regexNo}`}
        </Text>
      )}
    </>
  )
}

function compilePattern(value: string, isFolded: boolean): { pattern?: RE2JS; problem?: string } {
  try {
    return { pattern: RE2JS.compile(value, isFolded ? RE2JS.CASE_INSENSITIVE : 0) }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}
