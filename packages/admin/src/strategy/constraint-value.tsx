import type { ConstraintInput } from '@burgee/protocol/admin'
import { TagsInput, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTexts } from '../text/texts.tsx'
import { isoOf, localOf } from '../ui/local-time.ts'
import { isComplete, kindOf } from './operators.ts'
import styles from './strategy.module.css'

interface Props {
  readonly constraint: ConstraintInput
  /** Values that the context field may have, where it says so. */
  readonly legal: readonly string[]
  readonly put: (next: ConstraintInput) => void
}

/** What a constraint compares with: a list, a number, a time, a version or a pattern, as its operator needs. */
export function ConstraintValue({ constraint, legal, put }: Props) {
  const t = useTexts()
  const { operator, values = [], value = '' } = constraint
  const isBad = value !== '' && !isComplete(constraint)
  const one = (next: string): void => put({ ...constraint, value: next })
  switch (kindOf(operator)) {
    case 'number':
      return (
        <TextInput
          label={t.strategy.number}
          inputMode="decimal"
          value={value}
          error={isBad}
          onChange={(event) => one(event.currentTarget.value)}
        />
      )
    case 'date':
      return (
        <TextInput
          type="datetime-local"
          label={t.strategy.date}
          value={localOf(value)}
          onChange={(event) => one(isoOf(event.currentTarget.value))}
        />
      )
    case 'version':
      return (
        <TextInput
          label={t.strategy.version}
          placeholder="1.2.3"
          value={value}
          error={isBad && t.strategy.versionHint}
          onChange={(event) => one(event.currentTarget.value.trim())}
        />
      )
    case 'regex':
      return <RegexValue pattern={value} ignoreCase={constraint.caseInsensitive === true} put={one} />
    default:
      return (
        <TagsInput
          label={t.strategy.values}
          description={t.strategy.valuesHint}
          value={values}
          data={[...legal]}
          splitChars={[',', '\n', ';']}
          acceptValueOnBlur
          onChange={(next) => put({ ...constraint, values: separated(values, next) })}
        />
      )
  }
}

/** The list with what was added taken apart; a comma within what was there before stays. */
function separated(before: readonly string[], next: readonly string[]): string[] {
  const parts = next.flatMap((value) => (before.includes(value) ? [value] : value.split(/[,;\n]/)))
  return [...new Set(parts.map((part) => part.trim()).filter((part) => part !== ''))]
}

function RegexValue(props: { pattern: string; ignoreCase: boolean; put: (pattern: string) => void }) {
  const t = useTexts()
  const [sample, setSample] = useState('')
  const pattern = compiled(props.pattern, props.ignoreCase)
  return (
    <>
      <TextInput
        label={t.strategy.regex}
        description={t.strategy.regexHint}
        value={props.pattern}
        error={pattern === undefined && t.strategy.regexBad}
        classNames={{ input: styles.mono ?? '' }}
        onChange={(event) => props.put(event.currentTarget.value)}
      />
      <TextInput
        label={t.strategy.regexTest}
        value={sample}
        onChange={(event) => setSample(event.currentTarget.value)}
      />
      {sample !== '' && pattern !== undefined && (
        <Text size="sm" role="status">
          {pattern.test(sample) ? `✓ ${t.strategy.regexYes}` : `✗ ${t.strategy.regexNo}`}
        </Text>
      )}
    </>
  )
}

/** The pattern for a try in the browser, whose syntax is a little wider than the server's. */
function compiled(pattern: string, ignoreCase: boolean): RegExp | undefined {
  try {
    return new RegExp(pattern, ignoreCase ? 'iu' : 'u')
  } catch {
    return undefined
  }
}
